#include "core/codegen/host/kernels/LoopKernel.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

/// What an expression grows by with a dimension; nullopt where that is not the same everywhere. Blocks of a packed
/// operand are whole vectors, so that inside of one its quotient stands still and its remainder grows.
static std::optional<int64_t> growth(AffineExpr expr, unsigned loop, int64_t width) {
  if (!expr.isFunctionOfDim(loop))
    return 0;
  if (llvm::isa<AffineDimExpr>(expr))
    return 1;
  auto binary = llvm::dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto constant = llvm::dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool plain = llvm::isa<AffineDimExpr>(binary.getLHS()) && width != 0 && constant && constant.getValue() == width;
  if (expr.getKind() == AffineExprKind::FloorDiv && plain)
    return 0;
  if (expr.getKind() == AffineExprKind::Mod && plain)
    return 1;
  auto left = growth(binary.getLHS(), loop, width);
  if (expr.getKind() == AffineExprKind::Mul && left && constant)
    return *left * constant.getValue();
  if (expr.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto right = growth(binary.getRHS(), loop, width);
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

/// Whether neighbours of the last dimension are neighbours in memory.
static bool isDense(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && !strides.empty() && strides.back() == 1;
}

std::optional<int64_t> LoopKernel::step(unsigned operand, unsigned loop) const {
  AffineMap map = maps[operand];
  if (!map.isFunctionOfDim(loop))
    return 0;
  for (AffineExpr result : map.getResults().drop_back())
    if (growth(result, loop, packedWidth) != 0)
      return std::nullopt;
  auto type = llvm::cast<MemRefType>(operands[operand].getType());
  return isDense(type) ? growth(map.getResults().back(), loop, packedWidth) : std::nullopt;
}

LoopKernel::Along LoopKernel::along(unsigned operand, unsigned loop) const {
  if (!maps[operand].isFunctionOfDim(loop))
    return Along::Still;
  return step(operand, loop) == 1 ? Along::Dense : Along::Apart;
}

bool LoopKernel::isStrided(unsigned operand, unsigned loop) const {
  constexpr int64_t widest = 4;
  std::optional<int64_t> apart = step(operand, loop);
  return apart && *apart > 1 && *apart <= widest;
}

int64_t LoopKernel::reuse(unsigned operand) const {
  int64_t times = 1;
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (isParallel(loop) && !maps[operand].isFunctionOfDim(loop))
      times *= range;
  return times;
}

std::optional<unsigned> LoopKernel::denseLoop(unsigned operand) const {
  for (unsigned loop = ranges.size(); loop-- > 0;)
    if (ranges[loop] > 1 && along(operand, loop) == Along::Dense)
      return loop;
  return std::nullopt;
}

Operation *LoopKernel::combiner(unsigned output) const {
  SmallVector<Operation *> ops;
  SmallVector<BlockArgument> outputs(body->getArguments().drop_front(inputs));
  if (!matchReduction(outputs, output, ops) || ops.size() != 1 || !arith::getNeutralElement(ops.front()) ||
      !linalg::getCombinerOpKind(ops.front()))
    return nullptr;
  return ops.front();
}

/// Whether the op does nothing but compute a value of its operands, on scalars.
static bool isPlain(Operation &op) {
  if (op.getNumRegions() != 0)
    return false;
  return llvm::isa<memref::LoadOp, linalg::IndexOp>(op) || isPure(&op) || op.hasTrait<OpTrait::ConstantLike>() ||
         OpTrait::hasElementwiseMappableTraits(&op);
}

std::optional<LoopKernel> readLoopKernel(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!op.hasPureBufferSemantics() || op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() || ranges.empty() ||
      llvm::any_of(ranges, [](int64_t range) { return range <= 0; }))
    return std::nullopt;
  for (Operation &each : op->getRegion(0).front().without_terminator())
    if (!isPlain(each))
      return std::nullopt;
  LoopKernel kernel{.loc = op.getLoc(),
                    .body = &op->getRegion(0),
                    .operands = {},
                    .maps = op.getIndexingMapsArray(),
                    .inputs = unsigned(op.getNumDpsInputs()),
                    .ranges = std::move(ranges),
                    .iterators = op.getIteratorTypesArray(),
                    .packedWidth = 0,
                    .requested = readTilingConfig(op).host,
                    .members = {},
                    .starts = {}};
  for (unsigned loop = 0; loop < kernel.ranges.size(); ++loop)
    kernel.members.push_back({loop});
  if (llvm::any_of(kernel.maps, [](AffineMap map) { return map.getNumSymbols() != 0; }))
    return std::nullopt;
  // A map has one block argument for each operand, which not all ops use.
  if (op->getRegion(0).getNumArguments() != op->getNumOperands())
    return std::nullopt;
  // What a reduction walks is written with each of its steps, and is no sum that stays in registers.
  for (AffineMap written : llvm::drop_begin(kernel.maps, kernel.inputs))
    for (unsigned loop = 0; loop < kernel.ranges.size(); ++loop)
      if (!kernel.isParallel(loop) && written.isFunctionOfDim(loop))
        return std::nullopt;
  for (Value operand : op->getOperands()) {
    auto type = llvm::dyn_cast<MemRefType>(operand.getType());
    if (type ? !type.hasStaticShape() || !type.isStrided() : !operand.getType().isIntOrIndexOrFloat())
      return std::nullopt;
    kernel.operands.push_back(operand);
  }
  kernel.starts.resize(op.getNumDpsInits());
  return kernel;
}

} // namespace fuselage
