#include "core/runtime/kernels/OperandPacking.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

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

  PackedOperand packed{.memory = {}, .map = AffineMap::get(map.getNumDims(), 0, places, context),
                       .copy = {.loc = kernel.loc, .body = nullptr, .operands = {}, .maps = {}, .ranges = {}, .iterators = {}, .starts = {}},
                       .pattern = nullptr};
  Type element = getElementTypeOrSelf(kernel.operands[input].getType());
  auto alloc = memref::AllocOp::create(builder, kernel.loc, MemRefType::get(shape, element), builder.getI64IntegerAttr(64));
  packed.memory = alloc;
  packed.pattern = linalg::makeMemRefCopyOp(builder, kernel.loc, kernel.operands[input], kernel.operands[input]);
  SmallVector<AffineExpr> renamed(map.getNumDims(), getAffineConstantExpr(0, context));
  for (auto [loop, position] : number)
    renamed[loop] = getAffineDimExpr(position, context);
  packed.copy.body = &packed.pattern->getRegion(0);
  packed.copy.inputs = 1;
  packed.copy.operands = {kernel.operands[input], packed.memory};
  packed.copy.maps = {AffineMap::getMultiDimIdentityMap(ranges.size(), context),
                      packed.map.replaceDimsAndSymbols(renamed, {}, ranges.size(), 0)};
  packed.copy.ranges = ranges;
  packed.copy.iterators.assign(ranges.size(), utils::IteratorType::parallel);
  packed.copy.starts.resize(1);
  return packed;
}

} // namespace fuselage
