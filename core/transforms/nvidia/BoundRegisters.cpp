// How many workgroups a multiprocessor holds, said to the assembler.
#include "core/transforms/nvidia/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include <algorithm>

namespace fuselage {
#define GEN_PASS_DEF_BOUNDREGISTERSPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Threads of a workgroup; 0 where only the launch knows them.
int64_t threadsOf(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (!block)
    return 0;
  int64_t threads = 1;
  for (int32_t size : *block)
    threads *= size;
  return threads;
}

struct BoundRegisters : fuselage::impl::BoundRegistersPassBase<BoundRegisters> {
  using BoundRegistersPassBase::BoundRegistersPassBase;

  void runOnOperation() override {
    if (registersPerThread < 1 || registersPerUnit < 1) {
      getOperation()->emitError("registers-per-thread and registers-per-unit have to be at least 1");
      return signalPassFailure();
    }
    StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      int64_t threads = threadsOf(kernel);
      if (!kernel.isKernel() || threads <= 0 || kernel->hasAttr(name))
        return;
      int64_t workgroups = std::max<int64_t>(registersPerUnit / (threads * registersPerThread), 1);
      kernel->setAttr(name, IntegerAttr::get(IntegerType::get(&getContext(), 32), workgroups));
    });
  }
};

} // namespace
