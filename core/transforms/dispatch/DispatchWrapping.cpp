// The mechanism of dispatch formation: puts a group into a flow.dispatch.region.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

namespace {

class Wrapper {
public:
  Wrapper(RewriterBase &rewriter, const DispatchGroup &group)
      : rewriter_(rewriter), group_(group), members_(group.ops.begin(), group.ops.end()),
        clones_(group.clonedProducers.begin(), group.clonedProducers.end()) {}
  FailureOr<Operation *> wrap();

private:
  LogicalResult findDependents();
  void resolveSizes();
  bool readsDependent(Operation *op) const;
  SmallVector<Value> findEscaping() const;
  void fillBody(flow::DispatchRegionOp region, ArrayRef<Value> escaping);
  void replaceClonedOperands(Operation *op, IRMapping &mapping);

  RewriterBase &rewriter_;
  const DispatchGroup &group_;
  llvm::SmallPtrSet<Operation *, 8> members_;
  llvm::SmallPtrSet<Operation *, 8> clones_;
  Operation *last_ = nullptr;                           // in block order
  llvm::SmallSetVector<Operation *, 8> dependents_;     // between members, fed by members
  llvm::SmallPtrSet<Operation *, 8> obsoleteOriginals_; // of clones: nobody else reads them
};

} // namespace

/// Whether an operand (or a capture) of `op` comes from a dependent, other than through a clone.
bool Wrapper::readsDependent(Operation *op) const {
  bool found = false;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      found |= producer && dependents_.contains(producer) && !clones_.contains(producer);
    }
  });
  return found;
}

/// Finds the ops that must move after the dispatch. Fails where a member reads one of them, or one
/// has effects and so must not move.
LogicalResult Wrapper::findDependents() {
  Block *block = group_.root->getBlock();
  Operation *first = group_.ops.front();
  last_ = first;
  for (Operation *op : group_.ops) {
    if (op->getBlock() != block)
      return failure();
    first = op->isBeforeInBlock(first) ? op : first;
    last_ = last_->isBeforeInBlock(op) ? op : last_;
  }
  auto dependsOnGroup = [&](Operation *op) {
    bool depends = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          depends |= members_.contains(producer) || dependents_.contains(producer);
    });
    return depends;
  };
  for (Operation *op = first; op != last_; op = op->getNextNode()) {
    if (members_.contains(op) || findSizeSource(op) || !dependsOnGroup(op))
      continue;
    if (!isMemoryEffectFree(op))
      return failure();
    dependents_.insert(op);
  }
  bool isCycle = llvm::any_of(group_.ops, [&](Operation *op) { return readsDependent(op); }) ||
                 llvm::any_of(group_.clonedProducers, [&](Operation *op) { return readsDependent(op); });
  return failure(isCycle);
}

/// Asking for the size of a member's result is no use of its data.
void Wrapper::resolveSizes() {
  for (Operation *op : group_.ops) {
    auto dims =
        llvm::filter_to_vector(op->getUsers(), [](Operation *user) { return findSizeSource(user).has_value(); });
    for (Operation *dim : dims)
      resolveSize(rewriter_, dim);
  }
}

/// The members' results that are read outside.
SmallVector<Value> Wrapper::findEscaping() const {
  SmallVector<Value> escaping;
  for (Operation *op : group_.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !members_.contains(user) && !obsoleteOriginals_.contains(user); }))
        escaping.push_back(result);
  return escaping;
}

/// Makes `op` read clones where it read the originals, cloning as needed. Iterative, since chains
/// of copies may be long: an original is cloned once its own producers are.
void Wrapper::replaceClonedOperands(Operation *op, IRMapping &mapping) {
  SmallVector<Operation *> pending{op};
  while (!pending.empty()) {
    Operation *current = pending.back();
    size_t before = pending.size();
    for (Value operand : current->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && clones_.contains(producer) && !mapping.contains(operand))
        pending.push_back(producer);
    if (pending.size() > before)
      continue;
    pending.pop_back();
    if (current != op && !mapping.contains(current->getResult(0)))
      rewriter_.clone(*current, mapping);
  }
  rewriter_.modifyOpInPlace(op, [&] {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  });
}

void Wrapper::fillBody(flow::DispatchRegionOp region, ArrayRef<Value> escaping) {
  Block *body = &region.getBody().front();
  IRMapping mapping;
  for (Operation *op : group_.ops) {
    rewriter_.setInsertionPointToEnd(body);
    replaceClonedOperands(op, mapping);
    rewriter_.moveOpBefore(op, body, body->end());
  }
  rewriter_.setInsertionPointToEnd(body);
  flow::ReturnOp::create(rewriter_, region.getLoc(), escaping);
}

FailureOr<Operation *> Wrapper::wrap() {
  if (group_.ops.empty() || failed(findDependents()))
    return failure();
  resolveSizes();
  for (Operation *op : llvm::reverse(group_.clonedProducers))
    if (llvm::all_of(op->getUsers(),
                     [&](Operation *user) { return members_.contains(user) || obsoleteOriginals_.contains(user); }))
      obsoleteOriginals_.insert(op);

  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPoint(last_);
  SmallVector<Value> escaping = findEscaping();
  SmallVector<Value> dims;
  for (Value value : escaping) {
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        dims.push_back(getValueOrCreateConstantIndexOp(rewriter_, value.getLoc(), sizeOf(rewriter_, value, dim)));
  }
  Location rootLoc = group_.root->getLoc();
  Location loc = NameLoc::get(rewriter_.getStringAttr(dispatchName(group_.root)), rootLoc);
  auto region = flow::DispatchRegionOp::create(rewriter_, loc, ValueRange(escaping).getTypes(), dims);
  Operation *previous = region;
  for (Operation *dependent : dependents_) {
    rewriter_.moveOpAfter(dependent, previous);
    previous = dependent;
  }
  fillBody(region, escaping);
  for (auto [value, result] : llvm::zip_equal(escaping, region.getResults()))
    rewriter_.replaceUsesWithIf(value, result,
                                [&](OpOperand &use) { return !region->isProperAncestor(use.getOwner()); });
  for (Operation *op : llvm::reverse(group_.clonedProducers))
    if (op->use_empty())
      rewriter_.eraseOp(op);
  return region.getOperation();
}

FailureOr<Operation *> wrapDispatch(RewriterBase &rewriter, const DispatchGroup &group) {
  return Wrapper(rewriter, group).wrap();
}

} // namespace fuselage
