#include "core/codegen/host/kernels/OperandPacking.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

void describeCopy(OpBuilder &builder, PackedOperand &packed, Value source, AffineMap from, AffineMap places,
                  ArrayRef<int64_t> ranges) {
  packed.pattern = linalg::makeMemRefCopyOp(builder, packed.copy.loc, source, source);
  packed.copy.body = &packed.pattern->getRegion(0);
  packed.copy.inputs = 1;
  packed.copy.operands = {source, packed.memory};
  packed.copy.maps = {from, places};
  packed.copy.ranges.assign(ranges.begin(), ranges.end());
  packed.copy.iterators.assign(ranges.size(), utils::IteratorType::parallel);
  packed.copy.starts.resize(1);
}

PackedOperand packOperand(OpBuilder &builder, const LoopKernel &kernel, const LoopPlan &plan, unsigned input) {
  MLIRContext *context = builder.getContext();
  int64_t width = plan.vectors * plan.lanes;
  AffineMap map = kernel.maps[input];
  // Loops beside each other first, then the blocks, then reductions; the row loop counts among the former.
  SmallVector<unsigned> loops;
  for (bool parallel : {true, false})
    for (unsigned loop = 0; loop < kernel.ranges.size(); ++loop)
      if (map.isFunctionOfDim(loop) && loop != plan.vectorLoop && kernel.isParallel(loop) == parallel)
        loops.push_back(loop);
  SmallVector<int64_t> shape, ranges;
  SmallVector<AffineExpr> places;
  // The copy's loops are the operand's dimensions, in its order.
  llvm::DenseMap<unsigned, unsigned> number;
  for (AffineExpr result : map.getResults()) {
    unsigned loop = llvm::cast<AffineDimExpr>(result).getPosition();
    number[loop] = ranges.size();
    ranges.push_back(kernel.ranges[loop]);
  }
  AffineExpr along = getAffineDimExpr(plan.vectorLoop, context);
  bool hasBlocks = false;
  auto addBlocks = [&] {
    shape.push_back(llvm::divideCeil(kernel.ranges[plan.vectorLoop], width));
    places.push_back(along.floorDiv(width));
    hasBlocks = true;
  };
  for (unsigned loop : loops) {
    if (!kernel.isParallel(loop) && !hasBlocks)
      addBlocks();
    shape.push_back(kernel.ranges[loop]);
    places.push_back(getAffineDimExpr(loop, context));
  }
  if (!hasBlocks)
    addBlocks();
  shape.push_back(width);
  places.push_back(along % width);

  PackedOperand packed{.memory = {},
                       .allocated = {},
                       .map = AffineMap::get(map.getNumDims(), 0, places, context),
                       .copy = {.loc = kernel.loc,
                                .body = nullptr,
                                .operands = {},
                                .maps = {},
                                .ranges = {},
                                .iterators = {},
                                .packedWidth = 0,
                                .starts = {}},
                       .pattern = nullptr};
  Type element = getElementTypeOrSelf(kernel.operands[input].getType());
  auto alloc =
      memref::AllocOp::create(builder, kernel.loc, MemRefType::get(shape, element), builder.getI64IntegerAttr(64));
  packed.memory = alloc;
  SmallVector<AffineExpr> renamed(map.getNumDims(), getAffineConstantExpr(0, context));
  for (auto [loop, position] : number)
    renamed[loop] = getAffineDimExpr(position, context);
  packed.allocated = packed.memory;
  packed.copy.packedWidth = width;
  describeCopy(builder, packed, kernel.operands[input], AffineMap::getMultiDimIdentityMap(ranges.size(), context),
               packed.map.replaceDimsAndSymbols(renamed, {}, ranges.size(), 0), ranges);
  return packed;
}

PackedOperand padOperand(OpBuilder &builder, const LoopKernel &kernel, unsigned input) {
  constexpr int64_t line = 64;
  Value source = kernel.operands[input];
  auto type = llvm::cast<MemRefType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += llvm::divideCeil(line, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  PackedOperand padded{.memory = {},
                       .allocated = {},
                       .map = kernel.maps[input],
                       .copy = {.loc = kernel.loc,
                                .body = nullptr,
                                .operands = {},
                                .maps = {},
                                .ranges = {},
                                .iterators = {},
                                .packedWidth = 0,
                                .starts = {}},
                       .pattern = nullptr};
  padded.allocated = memref::AllocOp::create(builder, kernel.loc, MemRefType::get(shape, type.getElementType()),
                                             builder.getI64IntegerAttr(line));
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  padded.memory = memref::SubViewOp::create(builder, kernel.loc, padded.allocated, zeros, type.getShape(), ones);
  AffineMap places = AffineMap::getMultiDimIdentityMap(shape.size(), builder.getContext());
  describeCopy(builder, padded, source, places, places, type.getShape());
  return padded;
}

} // namespace fuselage
