// A part of a function: what comes from outside of it becomes arguments, what leaves it results.
#include "core/reduce/cuts/Cuts.h"
#include "core/reduce/cuts/Functions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace fuselage {
namespace {

std::vector<Operation *> topOpsOf(ModuleOp module) {
  std::vector<Operation *> ops;
  for (FunctionOpInterface function : uncalledFunctionsOf(module))
    for (Block &block : function.getFunctionBody())
      for (Operation &op : block)
        if (!op.hasTrait<OpTrait::IsTerminator>())
          ops.push_back(&op);
  return ops;
}

/// Whether any value of the type may come from outside. `keepsMeaning`: an index may lie outside of a tensor, a divisor
/// may be 0.
bool mayBecomeArgument(Type type, bool keepsMeaning) {
  if (!keepsMeaning)
    return true;
  Type element = getElementTypeOrSelf(type);
  return !element.isIndex() && !element.isInteger(64) && !element.isInteger(32);
}

/// Cuts ops out of one function.
class Slice {
public:
  Slice(FunctionOpInterface function, ArrayRef<Operation *> ops, bool keepsMeaning)
      : function_(function), removed_(ops.begin(), ops.end()) {
    // What may not become an argument stays, and so does nothing else for it.
    for (Operation *op : ops)
      for (Value result : op->getResults())
        if (!mayBecomeArgument(result.getType(), keepsMeaning) && isUsedOutside(result))
          removed_.remove(op);
  }

  bool cut() {
    if (removed_.empty())
      return false;
    collectResults();
    for (Operation *op : removed_)
      for (Value result : op->getResults())
        if (isUsedOutside(result) && !replaceByArgument(result))
          return false;
    if (!addResults())
      return false;
    for (Operation *op : removed_)
      op->dropAllReferences();
    for (Operation *op : removed_)
      op->dropAllUses();
    for (Operation *op : llvm::reverse(removed_))
      op->erase();
    return true;
  }

private:
  bool isRemoved(Operation *user) const {
    for (; user && user != function_; user = user->getParentOp())
      if (removed_.contains(user))
        return true;
    return false;
  }
  bool isUsedOutside(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !isRemoved(user); });
  }

  /// Values of ops that stay, which only removed ops use.
  void collectResults() {
    if (!llvm::hasSingleElement(function_.getFunctionBody()))
      return; // they may not reach the return
    auto collect = [&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *maker = operand.getDefiningOp();
        if (maker && maker->getBlock() == &function_.getFunctionBody().front() && !removed_.contains(maker) &&
            !isUsedOutside(operand))
          results_.insert(operand);
      }
    };
    for (Operation *op : removed_)
      op->walk(collect);
  }

  bool replaceByArgument(Value result) {
    const unsigned index = function_.getNumArguments();
    if (failed(function_.insertArgument(index, result.getType(), {}, result.getLoc())))
      return false;
    result.replaceAllUsesWith(function_.getArgument(index));
    return true;
  }

  bool addResults() {
    std::vector<Operation *> returns = returnsOf(function_);
    if (returns.size() != 1)
      return true;
    for (Value value : results_) {
      if (failed(function_.insertResult(function_.getNumResults(), value.getType(), {})))
        return false;
      returns.front()->insertOperands(returns.front()->getNumOperands(), value);
    }
    return true;
  }

  FunctionOpInterface function_;
  llvm::SetVector<Operation *> removed_;
  llvm::SetVector<Value> results_;
};

bool cutSlices(ModuleOp module, const llvm::BitVector &places, bool keepsMeaning) {
  std::vector<Operation *> ops = topOpsOf(module);
  llvm::MapVector<Operation *, std::vector<Operation *>> byFunction;
  for (unsigned place : places.set_bits())
    byFunction[ops[place]->getParentOp()].push_back(ops[place]);
  bool changed = false;
  for (auto &[function, chosen] : byFunction)
    changed |= Slice(cast<FunctionOpInterface>(function), chosen, keepsMeaning).cut();
  return changed;
}

bool cutReshapes(ModuleOp module, bool keepsMeaning) {
  std::vector<Operation *> ops = topOpsOf(module);
  llvm::BitVector places(ops.size());
  for (auto [index, op] : llvm::enumerate(ops))
    places[index] = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
  return places.any() && cutSlices(module, places, keepsMeaning);
}

} // namespace

WholeCut reshapeCut(const CutLimits &limits) {
  return {"reshapes become arguments",
          [keepsMeaning = limits.keepsMeaning](ModuleOp module) { return cutReshapes(module, keepsMeaning); }};
}

PlacedCut sliceCut(const CutLimits &limits) {
  return {"ops become arguments", [](ModuleOp module) { return unsigned(topOpsOf(module).size()); },
          [keepsMeaning = limits.keepsMeaning](ModuleOp module, const llvm::BitVector &places) {
            return cutSlices(module, places, keepsMeaning);
          }};
}

} // namespace fuselage
