#include "core/analysis/buffers/BufferFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <map>

using namespace mlir;

namespace fuselage {
namespace {

struct Access {
  bool reads = false, writes = false;
  void operator|=(const Access &other) {
    reads |= other.reads;
    writes |= other.writes;
  }
};

class FlowFinder {
public:
  BufferFlow find(Block &body);

private:
  Access accessOf(OpOperand &operand);
  Access accessInside(Value argument);
  static Value rootOf(Value value);

  SymbolTableCollection symbols_;
  std::map<std::pair<Operation *, unsigned>, Access> known_; // by function and argument
  BufferFlow flow_;
};

/// The buffer that a view looks at.
Value FlowFinder::rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// What is done with a value, through all views of it.
Access FlowFinder::accessInside(Value value) {
  Access access;
  llvm::SmallVector<Value> open{value};
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      if (auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner()))
        open.push_back(view->getResult(0));
      else
        access |= accessOf(use);
    }
  return access;
}

Access FlowFinder::accessOf(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = symbols_.lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    if (!callee || callee.isExternal() || operand.getOperandNumber() >= callee.getNumArguments())
      return {.reads = true, .writes = true};
    auto [entry, isNew] =
        known_.try_emplace({callee, operand.getOperandNumber()}, Access{.reads = true, .writes = true});
    if (isNew) // until it is known, a call of itself does both
      entry->second = accessInside(callee.getArgument(operand.getOperandNumber()));
    return known_[{callee, operand.getOperandNumber()}];
  }
  if (op->hasTrait<OpTrait::ReturnLike>())
    return {.reads = true, .writes = false};
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return {.reads = true, .writes = true};
  llvm::SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffectsOnValue(operand.get(), instances);
  Access access;
  for (const MemoryEffects::EffectInstance &instance : instances) {
    access.reads |= isa<MemoryEffects::Read>(instance.getEffect());
    access.writes |= isa<MemoryEffects::Write>(instance.getEffect());
  }
  return access;
}

BufferFlow FlowFinder::find(Block &body) {
  llvm::DenseMap<Value, Operation *> lastWriter;
  for (Operation &op : body) {
    bool isView = isa<ViewLikeOpInterface>(op);
    bool isAddress = llvm::any_of(op.getResultTypes(), [](Type type) { return isa<BaseMemRefType>(type); });
    bool isFree = op.getName().stripDialect() == "dealloc";
    if ((isAddress && (isView || op.getNumOperands() == 0 || op.getName().stripDialect() == "alloc")) || isFree) {
      flow_.carriers.insert(&op);
      continue;
    }
    llvm::SmallVector<Value> written;
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      Value root = rootOf(operand.get());
      Access access = accessOf(operand);
      if (Operation *writer = access.reads ? lastWriter.lookup(root) : nullptr)
        flow_.writers[&operand] = writer;
      if (access.writes)
        written.push_back(root);
    }
    for (Value root : written)
      lastWriter[root] = &op;
  }
  return std::move(flow_);
}

} // namespace

BufferFlow findBufferFlow(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return BufferFlow();
  return FlowFinder().find(function.getFunctionBody().front());
}

} // namespace fuselage
