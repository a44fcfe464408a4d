#include "core/codegen/host/Passes.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTFREEBUFFERSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostFreeBuffers : impl::HostFreeBuffersPassBase<HostFreeBuffers> {
  void runOnOperation() override {
    OwningOpRef<ModuleOp> before(getOperation().clone()); // what fails leaves half of its work
    OpPassManager deallocation(ModuleOp::getOperationName());
    bufferization::buildBufferDeallocationPipeline(deallocation);
    DiagnosticCapture quiet(getContext());
    if (failed(runPipeline(deallocation, getOperation())))
      getOperation().getBodyRegion().takeBody(before->getBodyRegion());
  }
};

} // namespace
} // namespace fuselage
