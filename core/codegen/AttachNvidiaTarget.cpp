#include "core/codegen/Passes.h"
#include "core/device/NvidiaChips.h"
#include "core/dialects/device/DeviceAttr.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {
#define GEN_PASS_DEF_ATTACHNVIDIATARGETPASS
#include "core/codegen/Passes.h.inc"
} // namespace fuselage

namespace {

struct AttachNvidiaTarget : fuselage::impl::AttachNvidiaTargetPassBase<AttachNvidiaTarget> {
  using AttachNvidiaTargetPassBase::AttachNvidiaTargetPassBase;

  void runOnOperation() override {
    mlir::GpuNVVMAttachTargetOptions options;
    options.chip = fuselage::chipOf(fuselage::deviceOf(getOperation()));
    options.features = ptx.empty() ? fuselage::ptxFeatureOf(options.chip) : ptx.getValue();
    options.optLevel = 3;
    mlir::OpPassManager passes(mlir::ModuleOp::getOperationName());
    passes.addPass(mlir::createGpuNVVMAttachTarget(options));
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};

} // namespace
