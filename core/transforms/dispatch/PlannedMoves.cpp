// Groups of ops that only move elements, as DispatchMoves.cpp makes dispatches of them.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchMoves.h"
#include "core/transforms/dispatch/DispatchPlanner.h"
#include "core/transforms/dispatch/DispatchSizes.h"

using namespace mlir;

namespace fuselage {

unsigned DispatchPlanner::addMove(ArrayRef<Operation *> ops, Operation *root) {
  unsigned number = groups_.size();
  GrowingGroup &growing = groups_.emplace_back();
  growing.group.root = root;
  growing.group.ops.assign(ops.begin(), ops.end());
  for (Operation *op : ops)
    groupOf_[op] = number;
  return number;
}

/// Lets the join take along the group that computes one of its parts alone, element by element.
void DispatchPlanner::takePartInto(Value part, unsigned join) {
  Operation *producer = part.getDefiningOp();
  int number = producer && part.hasOneUse() ? groupOf(producer) : -1;
  if (number < 0 || number == int(join))
    return;
  DispatchGroup &own = groups_[number].group, &target = groups_[join].group;
  auto isInside = [&](Operation *op) { return llvm::is_contained(own.ops, op); };
  bool isPlain =
      producer->getBlock() == target.root->getBlock() && llvm::all_of(own.ops, isPartOfJoin) &&
      llvm::all_of(own.clonedProducers, isPartOfJoin) &&
      llvm::all_of(own.ops, [&](Operation *op) { return op == producer || llvm::all_of(op->getUsers(), isInside); });
  if (!isPlain)
    return;
  for (Operation *op : own.ops)
    groupOf_[op] = join;
  target.ops.insert(target.ops.begin(), own.ops.begin(), own.ops.end());
  for (Operation *op : own.clonedProducers)
    if (!llvm::is_contained(target.clonedProducers, op))
      target.clonedProducers.push_back(op);
  own = {};
}

/// Whether a dispatch reads the slice that `use` is of, or is a view of, where it lies.
bool DispatchPlanner::isReadInPlace(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (auto formed = user->getParentOfType<flow::DispatchRegionOp>())
    return readsInPlace(classifyDispatch(formed), sliceOf(use.get()));
  int number = groupOf(user);
  return number >= 0 && readsInPlace(group(number).kind, sliceOf(use.get()));
}

/// Whether the slice needs a dispatch of its own: somebody reads it who does not read it in place.
bool DispatchPlanner::isStored(tensor::ExtractSliceOp slice) const {
  if (isDecision(slice))
    return false;
  return llvm::any_of(slice->getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (findSizeSource(user) || isa<tensor::DimOp>(user))
      return false;
    if (isa<tensor::ExpandShapeOp>(user) && sliceOf(user->getResult(0)))
      return !llvm::all_of(user->getUses(), [&](OpOperand &view) { return isReadInPlace(view); });
    return !isReadInPlace(use);
  });
}

std::vector<DispatchGroup> DispatchPlanner::sortedGroups() const {
  std::vector<std::pair<unsigned, const DispatchGroup *>> places;
  for (const GrowingGroup &growing : groups_)
    if (!growing.group.ops.empty())
      places.emplace_back(order_.at(growing.group.root), &growing.group);
  llvm::sort(places);
  std::vector<DispatchGroup> groups;
  groups.reserve(places.size());
  for (auto [place, group] : places)
    groups.push_back(*group);
  return groups;
}

std::vector<DispatchGroup> DispatchPlanner::planWithMoves() {
  if (!policy_.dispatchMoves || !policy_.wrapLeftovers)
    return sortedGroups();
  // From the last one on: it takes those before it.
  llvm::SmallPtrSet<Operation *, 4> inPlace;
  for (Operation *op : llvm::reverse(ops_)) {
    if (!isJoin(op) || groupOf(op) >= 0 || inPlace.contains(op))
      continue;
    if (updatesLoopCarried(op)) {
      inPlace.insert_range(joinChain(op));
      continue;
    }
    unsigned join = addMove(joinChain(op), op);
    for (Operation *part : SmallVector<Operation *>(groups_[join].group.ops))
      for (Value operand : part->getOperands())
        takePartInto(operand, join);
    cloneCheapOperands(groups_[join].group);
  }
  for (Operation *op : llvm::reverse(ops_))
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
        slice && sliceOf(slice.getResult()) == slice && groupOf(op) < 0)
      if (isStored(slice))
        addMove(op, op);
  return sortedGroups();
}

} // namespace fuselage
