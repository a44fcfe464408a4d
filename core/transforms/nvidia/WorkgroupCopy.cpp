#include "core/transforms/nvidia/WorkgroupCopy.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace fuselage {

bool isInWorkgroupMemory(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace());
}

/// What the instruction moves: 4, 8 or 16 bytes.
static bool isMovable(Type element, int64_t elements) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return false;
  int64_t bytes = elements * element.getIntOrFloatBitWidth() / 8;
  return bytes == 4 || bytes == 8 || bytes == 16;
}

/// What is stored where a condition holds, if zeros are otherwise: what an asynchronous copy puts where it reads
/// nothing.
static Value orZero(Value stored, Value &condition) {
  auto choice = stored.getDefiningOp<arith::SelectOp>();
  if (!choice || !choice->hasOneUse() || !choice.getCondition().getType().isInteger(1))
    return stored;
  if (!matchPattern(choice.getFalseValue(), m_Zero()) && !matchPattern(choice.getFalseValue(), m_PosZeroFloat()))
    return stored;
  condition = choice.getCondition();
  return choice.getTrueValue();
}

std::optional<WorkgroupCopy> copyOf(Operation *op) {
  std::optional<WorkgroupCopy> copy;
  Value condition;
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (auto load = orZero(store.getValueToStore(), condition).getDefiningOp<memref::LoadOp>())
      copy = {load, store, condition, load.getMemRef(), store.getMemRef(), load.getIndices(), store.getIndices(), 1};
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    auto load = orZero(store.getValueToStore(), condition).getDefiningOp<vector::LoadOp>();
    // The instruction takes no less than what it moves for an alignment.
    VectorType type = store.getVectorType();
    uint64_t bytes =
        type.getElementType().isIntOrFloat() ? type.getNumElements() * type.getElementTypeBitWidth() / 8 : 0;
    if (load && type.getRank() == 1 && load.getAlignment().value_or(0) >= bytes &&
        store.getAlignment().value_or(0) >= bytes)
      copy = {load,
              store,
              condition,
              load.getBase(),
              store.getBase(),
              load.getIndices(),
              store.getIndices(),
              type.getNumElements()};
  }
  if (!copy || !copy->load->hasOneUse() || copy->load->getBlock() != copy->store->getBlock() ||
      isInWorkgroupMemory(copy->from) || !isInWorkgroupMemory(copy->to) ||
      !isMovable(cast<MemRefType>(copy->to.getType()).getElementType(), copy->elements))
    return std::nullopt;
  return copy;
}

std::optional<WorkgroupCopy> guardedCopyOf(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return copyOf(op);
  if (branch->getNumResults() != 0 || branch.elseBlock())
    return std::nullopt;
  std::optional<WorkgroupCopy> copy;
  for (Operation &inner : branch.thenBlock()->without_terminator())
    if (std::optional<WorkgroupCopy> found = copyOf(&inner)) {
      if (copy)
        return std::nullopt;
      copy = found;
    }
  for (Operation &inner : branch.thenBlock()->without_terminator())
    if (!copy || (&inner != copy->store && &inner != copy->load && !isMemoryEffectFree(&inner)))
      return std::nullopt;
  if (copy)
    copy->guard = branch;
  return copy;
}

std::optional<SmallVector<Operation *>> accessesTo(Value memory) {
  SmallVector<Operation *> accesses;
  SmallVector<Value> views{memory};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        views.push_back(user->getResult(0));
      else if (isa<MemoryEffectOpInterface>(user) && user->getNumRegions() == 0)
        accesses.push_back(user);
      else
        return std::nullopt;
    }
  }
  return accesses;
}

bool writesTo(Operation *op, Value memory) {
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    return llvm::any_of(instances, [&](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
             rootBuffer(effect.getValue()) == memory;
    });
  }
  // Of others nobody knows what they do with what they get.
  return op->getNumRegions() == 0 && !isMemoryEffectFree(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<MemRefType>(operand.getType()) && rootBuffer(operand) == memory;
         });
}

} // namespace fuselage
