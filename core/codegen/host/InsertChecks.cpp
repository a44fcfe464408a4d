#include "core/codegen/host/InsertChecks.h"
#include "core/codegen/host/Passes.h"
#include "core/codegen/host/safety/HostChecks.h"
#include "core/ir/module/RunPipeline.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTINSERTCHECKSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Whether an op reads or writes by affine maps, whose bounds nobody checks.
bool isAffine(Operation *op) { return llvm::isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface>(op); }

struct HostInsertChecks : impl::HostInsertChecksPassBase<HostInsertChecks> {
  void runOnOperation() override {
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(createConvertElementwiseToLinalgPass()); // checks are about elements
    if (getOperation()
            .walk([](Operation *op) { return isAffine(op) ? WalkResult::interrupt() : WalkResult::advance(); })
            .wasInterrupted())
      passes.addPass(createLowerAffinePass());
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    insertAssertions(getOperation());
  }
};

} // namespace

llvm::Error insertChecks(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createHostInsertChecksPass());
  return runPasses(passes, module, "the host cannot run this: turning elementwise ops into linalg failed");
}

} // namespace fuselage
