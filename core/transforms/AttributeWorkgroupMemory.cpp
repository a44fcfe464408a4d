// Workgroup memory of NVVM kernels: attributions, aligned for vector accesses.
#include "core/transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace fuselage {
#define GEN_PASS_DEF_ATTRIBUTEWORKGROUPMEMORYPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

struct AttributeWorkgroupMemory
    : fuselage::impl::AttributeWorkgroupMemoryPassBase<AttributeWorkgroupMemory> {
  void runOnOperation() override {
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      SmallVector<memref::AllocOp> allocations;
      kernel.walk([&](memref::AllocOp op) { allocations.push_back(op); });
      for (memref::AllocOp op : allocations) {
        BlockArgument memory = kernel.addWorkgroupAttribution(op.getType(), op.getLoc());
        kernel.setWorkgroupAttributionAttr(kernel.getNumWorkgroupAttributions() - 1, "llvm.align",
                                           IntegerAttr::get(IntegerType::get(&getContext(), 64), 16));
        op.getResult().replaceAllUsesWith(memory);
        op.erase();
      }
    });
  }
};

} // namespace
