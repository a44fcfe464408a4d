#include "core/transforms/foreign/ForeignOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

bool isForeign(Operation *op, StringRef name) { return !op->isRegistered() && displayName(op) == name; }

bool isForeignOf(Operation *op, StringRef prefix) {
  return !op->isRegistered() && StringRef(displayName(op)).starts_with(prefix);
}

bool isTypeNamed(Type type, StringRef name) {
  if (isa<ShapedType, IntegerType, FloatType, IndexType>(type))
    return false;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef rest(text);
  return rest.consume_front(name) && (rest.empty() || rest.front() == '<');
}

/// What is pure in its own dialect's definition.
static bool isPureForeign(Operation *op) {
  static constexpr StringLiteral names[] = {"util.global.load",
                                            "util.null",
                                            "util.assume.int",
                                            "util.align",
                                            "util.optimization_barrier",
                                            "util.cast",
                                            "util.list.create",
                                            "hal.devices.get",
                                            "hal.fence.create",
                                            "hal.buffer_view.dim",
                                            "hal.tensor.import",
                                            "hal.tensor.barrier",
                                            "flow.tensor.dim",
                                            "flow.tensor.empty",
                                            "flow.tensor.constant",
                                            "hal.tensor.cast",
                                            "flow.variable.load",
                                            "torch.constant.int",
                                            "torch_c.from_builtin_tensor"};
  return op->getNumRegions() == 0 && llvm::any_of(names, [&](StringRef name) { return isForeign(op, name); });
}

void eraseDeadForeignOps(Operation *root) {
  SmallVector<Operation *> dead = collectOps(root, [](Operation *op) { return op->use_empty() && isPureForeign(op); });
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    SmallVector<Operation *> producers;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && !llvm::is_contained(producers, producer))
        producers.push_back(producer);
    op->erase();
    for (Operation *producer : producers)
      if (producer->use_empty() && (isPureForeign(producer) || isOpTriviallyDead(producer)))
        dead.push_back(producer);
  }
}

} // namespace fuselage
