#include "core/ir/ops/NumberBytes.h"
#include "core/kernels/InstructionMix.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

using namespace mlir;

namespace fuselage {
namespace {

uint64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// "global", "workgroup"; empty: registers, built-in values.
llvm::StringRef spaceOf(spirv::PointerType pointer) {
  switch (pointer.getStorageClass()) {
  case spirv::StorageClass::StorageBuffer:
  case spirv::StorageClass::Uniform:
  case spirv::StorageClass::PhysicalStorageBuffer:
    return "global";
  case spirv::StorageClass::Workgroup:
    return "workgroup";
  default:
    return "";
  }
}

std::string accessKind(llvm::StringRef what, Value address, Type moved) {
  auto pointer = dyn_cast<spirv::PointerType>(address.getType());
  llvm::StringRef space = pointer ? spaceOf(pointer) : "";
  uint64_t bytes = numberBytes(moved);
  if (space.empty())
    return (what + " private").str();
  return (what + " " + space + (bytes ? " " + std::to_string(bytes) + " B" : "")).str();
}

/// A product that is only there for a sum: one instruction where the driver contracts it, as drivers may.
bool isAddedOnly(Operation *product) {
  return product->hasOneUse() && isa<spirv::FAddOp>(*product->getUsers().begin());
}

/// Empty: nothing that a processor would do.
std::string kindOf(Operation *op) {
  if (auto load = dyn_cast<spirv::LoadOp>(op))
    return accessKind("load", load.getPtr(), load.getType());
  if (auto store = dyn_cast<spirv::StoreOp>(op))
    return accessKind("store", store.getPtr(), store.getValue().getType());
  if (isa<spirv::GLFmaOp>(op))
    return "fma";
  if (isa<spirv::FMulOp>(op))
    return isAddedOnly(op) ? "fma" : "mul";
  if (isa<spirv::FAddOp>(op)) {
    bool ofProduct = llvm::any_of(op->getOperands(), [](Value operand) {
      Operation *product = operand.getDefiningOp();
      return product && isa<spirv::FMulOp>(product) && isAddedOnly(product);
    });
    return ofProduct ? "" : "add";
  }
  if (isa<spirv::FSubOp>(op))
    return "add";
  llvm::StringRef name = op->getName().stripDialect();
  if (isa<spirv::ControlBarrierOp, spirv::MemoryBarrierOp>(op))
    return "barrier";
  if (name.starts_with("GroupNonUniform"))
    return "shuffle";
  if (name.starts_with("Atomic"))
    return "atomic";
  if (name.contains("CooperativeMatrix"))
    return "matrix";
  if (name.starts_with("Image"))
    return "image";
  if (isa<spirv::BranchConditionalOp>(op))
    return "branch";
  if (name.starts_with("GL.") || name.starts_with("FDiv") || name.starts_with("FNegate") || name.starts_with("FRem") ||
      name.starts_with("FMod"))
    return "other float";
  if (name.starts_with("Convert") || name.ends_with("Convert") || name == "Bitcast")
    return "conversion";
  if (name == "Select" || name.starts_with("Composite") || name.starts_with("Vector"))
    return "move";
  if (isa<spirv::AccessChainOp>(op))
    return "address";
  if (op->getNumResults() == 1 && op->getNumOperands() == 2 && op->getResult(0).getType().isInteger(1))
    return "compare";
  if (op->getNumResults() == 1 && op->getNumOperands() > 0 && getElementTypeOrSelf(op->getResult(0)).isInteger())
    return "integer";
  return "";
}

/// What a loop's rounds hold, if it runs straight through: no loop and no choice in it.
void countLoop(spirv::LoopOp loop, InstructionMix &mix) {
  uint64_t fmas = 0, bytes = 0;
  WalkResult straight = loop->walk([&](Operation *op) {
    if (op != loop && isa<spirv::LoopOp, spirv::SelectionOp>(op))
      return WalkResult::interrupt();
    if (kindOf(op) == "fma")
      fmas += lanesOf(op->getResult(0).getType());
    if (auto load = dyn_cast<spirv::LoadOp>(op))
      if (spaceOf(cast<spirv::PointerType>(load.getPtr().getType())) == "workgroup")
        bytes += numberBytes(load.getType());
    return WalkResult::advance();
  });
  if (straight.wasInterrupted() || fmas <= mix.loopFmas)
    return;
  mix.loopFmas = fmas;
  mix.loopSharedBytes = bytes;
}

} // namespace

InstructionMix countSpirv(spirv::ModuleOp module) {
  InstructionMix mix;
  module->walk([&](Operation *op) {
    if (!op->getParentOfType<spirv::FuncOp>())
      return;
    if (std::string kind = kindOf(op); !kind.empty())
      ++mix.counts[kind];
    if (auto loop = dyn_cast<spirv::LoopOp>(op))
      countLoop(loop, mix);
  });
  return mix;
}

} // namespace fuselage
