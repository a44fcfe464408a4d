// What cooperative matrices ask of the rest of their module.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_USEVULKANMEMORYMODELPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace {

/// Returns true if other threads may access what the pointer points to.
bool isShared(Value pointer) {
  spirv::StorageClass place = cast<spirv::PointerType>(pointer.getType()).getStorageClass();
  return place == spirv::StorageClass::StorageBuffer || place == spirv::StorageClass::Workgroup;
}

struct UseVulkanMemoryModel : fuselage::impl::UseVulkanMemoryModelPassBase<UseVulkanMemoryModel> {
  void runOnOperation() override {
    bool hasMatrices = getOperation()
                           ->walk([](Operation *op) {
                             return isa<spirv::KHRCooperativeMatrixLoadOp, spirv::KHRCooperativeMatrixStoreOp,
                                        spirv::KHRCooperativeMatrixMulAddOp>(op)
                                        ? WalkResult::interrupt()
                                        : WalkResult::advance();
                           })
                           .wasInterrupted();
    if (!hasMatrices)
      return;
    declare(getOperation());
    auto seen = spirv::MemoryAccessAttr::get(&getContext(), spirv::MemoryAccess::NonPrivatePointer);
    getOperation().setMemoryModel(spirv::MemoryModel::Vulkan);
    getOperation()->walk([&](Operation *op) {
      if (auto load = dyn_cast<spirv::LoadOp>(op); load && isShared(load.getPtr()))
        load.setMemoryAccessAttr(seen);
      else if (auto store = dyn_cast<spirv::StoreOp>(op); store && isShared(store.getPtr()))
        store.setMemoryAccessAttr(seen);
      else if (auto matrix = dyn_cast<spirv::KHRCooperativeMatrixLoadOp>(op))
        matrix.setMemoryOperandAttr(seen);
      else if (auto matrix = dyn_cast<spirv::KHRCooperativeMatrixStoreOp>(op))
        matrix.setMemoryOperandAttr(seen);
      else if (auto barrier = dyn_cast<spirv::ControlBarrierOp>(op))
        barrier.setMemorySemantics(barrier.getMemorySemantics() | spirv::MemorySemantics::MakeAvailable |
                                   spirv::MemorySemantics::MakeVisible);
    });
  }

private:
  /// What spirv-update-vce does not see: the memory model, and that the number of a subgroup is read.
  static void declare(spirv::ModuleOp module) {
    spirv::VerCapExtAttr triple = module.getVceTripleAttr();
    if (!triple)
      return;
    llvm::SmallSetVector<spirv::Capability, 8> capabilities(llvm::from_range, triple.getCapabilities());
    llvm::SmallSetVector<spirv::Extension, 4> extensions(llvm::from_range, triple.getExtensions());
    capabilities.insert(spirv::Capability::VulkanMemoryModel);
    capabilities.insert(spirv::Capability::GroupNonUniform);
    extensions.insert(spirv::Extension::SPV_KHR_vulkan_memory_model);
    module.setVceTripleAttr(spirv::VerCapExtAttr::get(triple.getVersion(), capabilities.getArrayRef(),
                                                      extensions.getArrayRef(), module.getContext()));
  }
};

} // namespace
