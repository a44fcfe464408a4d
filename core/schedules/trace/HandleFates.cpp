#include "core/schedules/trace/HandleFates.h"

namespace fuselage {

using mlir::transform::TransformHandleTypeInterface;
using mlir::transform::TransformState;
using mlir::transform::TransformValueHandleTypeInterface;

/// Whether a value that is defined in `region` is seen from `from`: no op in between hides what is outside of it.
static bool isVisible(mlir::Region *region, mlir::Region *from) {
  for (; from; from = from->getParentRegion()) {
    if (from == region)
      return true;
    if (from->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return false;
  }
  return false;
}

static bool isInside(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> ancestors) {
  for (; op; op = op->getParentOp())
    if (llvm::is_contained(ancestors, op))
      return true;
  return false;
}

/// The op that defines the value, as a result or as an argument of a block of its own.
static mlir::Operation *ownerOf(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  return op ? op : value.getParentBlock()->getParentOp();
}

void HandleFates::leave(mlir::Region &region) {
  fates_.remove_if([&](const auto &entry) { return region.isAncestor(mlir::Value(entry.first).getParentRegion()); });
}

void HandleFates::forEachLive(llvm::function_ref<void(mlir::Value handle)> callback) const {
  for (const auto &[handle, fate] : fates_)
    if (fate.state == HandleFate::State::Live && mlir::isa<TransformHandleTypeInterface>(handle.getType()))
      callback(handle);
}

void HandleFates::endInside(llvm::ArrayRef<mlir::Operation *> ancestors, mlir::Region *from, unsigned step,
                            const TransformState &state) {
  for (auto &[handle, fate] : fates_) {
    if (fate.state != HandleFate::State::Live || !isVisible(handle.getParentRegion(), from))
      continue;
    bool ends = false;
    if (mlir::isa<TransformHandleTypeInterface>(handle.getType()))
      ends = llvm::any_of(state.getPayloadOps(handle), [&](mlir::Operation *op) { return isInside(op, ancestors); });
    else if (mlir::isa<TransformValueHandleTypeInterface>(handle.getType()))
      ends = llvm::any_of(state.getPayloadValues(handle),
                          [&](mlir::Value value) { return isInside(ownerOf(value), ancestors); });
    if (ends)
      fate = {HandleFate::State::Invalidated, step};
  }
}

void HandleFates::endAliases(llvm::ArrayRef<mlir::Value> payload, mlir::Region *from, unsigned step,
                             const TransformState &state) {
  for (auto &[handle, fate] : fates_)
    if (fate.state == HandleFate::State::Live && isVisible(handle.getParentRegion(), from) &&
        mlir::isa<TransformValueHandleTypeInterface>(handle.getType()) &&
        llvm::any_of(state.getPayloadValues(handle),
                     [&](mlir::Value value) { return llvm::is_contained(payload, value); }))
      fate = {HandleFate::State::Invalidated, step};
}

void HandleFates::consume(mlir::transform::TransformOpInterface op, unsigned step, const TransformState &state) {
  mlir::Region *from = op->getParentRegion();
  llvm::SmallVector<mlir::Value> consumed;
  for (mlir::Value operand : op->getOperands()) {
    const HandleFate *known = fate(operand);
    if (!known || known->state != HandleFate::State::Live || !mlir::transform::isHandleConsumed(operand, op))
      continue;
    if (mlir::isa<TransformHandleTypeInterface>(operand.getType())) {
      consumed.push_back(operand);
      llvm::SmallVector<mlir::Operation *> ancestors(state.getPayloadOps(operand));
      endInside(ancestors, from, step, state);
    } else if (mlir::isa<TransformValueHandleTypeInterface>(operand.getType())) {
      llvm::SmallVector<mlir::Value> payload(state.getPayloadValues(operand));
      if (!payload.empty()) // else the interpreter takes it again
        consumed.push_back(operand);
      endAliases(payload, from, step, state);
      for (mlir::Value value : payload) {
        llvm::SmallVector<mlir::Operation *> ancestors;
        if (mlir::Operation *definition = value.getDefiningOp())
          ancestors.push_back(definition);
        else
          for (mlir::Operation &inBlock : *value.getParentBlock())
            ancestors.push_back(&inBlock);
        endInside(ancestors, from, step, state);
      }
    }
  }
  for (mlir::Value operand : consumed)
    fates_[operand] = {HandleFate::State::Consumed, step};
}

} // namespace fuselage
