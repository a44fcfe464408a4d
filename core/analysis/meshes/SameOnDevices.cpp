#include "core/analysis/meshes/SameOnDevices.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

const ShardingAnnotation *SameOnDevices::annotationOf(Value value) const {
  for (const ShardingAnnotation &annotation : shardings_.annotations)
    if (annotation.value == value)
      return &annotation;
  return nullptr;
}

/// A part of a tensor that devices of a group all have: of a manual computation's argument.
bool SameOnDevices::isEqualArgument(BlockArgument argument, const DeviceGroups &groups) const {
  const ShardingAnnotation *annotation = annotationOf(argument);
  if (!annotation || !annotation->isLocal)
    return false;
  auto layout = shardings_.layout(*annotation);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return false;
  }
  const DeviceMesh *mesh = shardings_.meshOf(*annotation);
  if (!layout->unreduced.empty())
    return false;
  llvm::DenseMap<int64_t, int64_t> tileOf;
  for (int64_t place = 0; place < mesh->count(); ++place)
    tileOf[mesh->deviceAt(place)] = layout->tileNumber(place);
  for (const std::vector<int64_t> &group : groups)
    for (int64_t device : group)
      if (!tileOf.contains(device) || !tileOf.contains(group.front()) || tileOf[device] != tileOf[group.front()])
        return false;
  return true;
}

/// All-reduce, all-gather and broadcast give each device of a group the same.
bool SameOnDevices::isEqualResult(const Collective &collective, const DeviceGroups &groups) const {
  bool givesAll = collective.kind == CollectiveKind::AllReduce || collective.kind == CollectiveKind::AllGather ||
                  collective.kind == CollectiveKind::Broadcast;
  if (!givesAll || collective.isGlobal || !collective.problem.empty())
    return false;
  DeviceGroups theirs = groupsOf(collective, shardings_, devices_).groups;
  llvm::DenseMap<int64_t, size_t> groupOf;
  for (const auto &[number, group] : llvm::enumerate(theirs))
    for (int64_t device : group)
      groupOf[device] = number;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t device : group)
      if (!groupOf.contains(device) || !groupOf.contains(group.front()) || groupOf[device] != groupOf[group.front()])
        return false;
  return true;
}

bool SameOnDevices::isEqual(Value value, const DeviceGroups &groups, unsigned depth) const {
  constexpr unsigned maxDepth = 32; // of ops that compute it
  if (matchPattern(value, m_Constant()))
    return true;
  if (groups.empty() || depth > maxDepth)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isEqualArgument(argument, groups);
  Operation *op = value.getDefiningOp();
  if (std::optional<Collective> collective = readCollective(op); collective && isEqualResult(*collective, groups))
    return true;
  if (isa<tensor::EmptyOp>(op)) // of which nothing is read
    return true;
  bool isPlain =
      isa<linalg::LinalgOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ExtractSliceOp>(
          op) ||
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!isPlain || !isMemoryEffectFree(op))
    return false;
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return llvm::all_of(read, [&](Value each) { return isEqual(each, groups, depth + 1); });
}

bool SameOnDevices::isWholeAlong(Value value, ArrayRef<AxisRef> axes) const {
  if (isOneNumber(value))
    return true;
  const ShardingAnnotation *annotation = annotationOf(value);
  if (!annotation || annotation->isLocal)
    return false;
  auto layout = shardings_.layout(*annotation);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return false;
  }
  auto isAlong = [&](const AxisRef &axis) {
    return llvm::any_of(axes, [&](const AxisRef &other) { return other.axis == axis.axis; });
  };
  return llvm::none_of(layout->unreduced, isAlong) &&
         llvm::none_of(layout->axes, [&](ArrayRef<AxisRef> dim) { return llvm::any_of(dim, isAlong); });
}

bool isOneNumber(Value value) {
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return elements.isSplat();
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return matchPattern(fill.value(), m_Constant());
  auto splat = dyn_cast_or_null<tensor::SplatOp>(op);
  return splat && matchPattern(splat.getInput(), m_Constant());
}

bool isConstantAlong(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  if (isOneNumber(operand.get()))
    return true;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop))
    return true;
  auto broadcast = operand.get().getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || !map.isProjectedPermutation())
    return false;
  std::optional<unsigned> dim = map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  return dim && llvm::is_contained(broadcast.getDimensions(), *dim);
}

} // namespace fuselage
