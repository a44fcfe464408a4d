#include "core/codegen/host/Passes.h"
#include "core/codegen/host/Refusal.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTCHECKLOWEREDPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostCheckLowered : impl::HostCheckLoweredPassBase<HostCheckLowered> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(refuseFirst(module, [&](Operation *op) {
          bool isLowered = op == module.getOperation() || llvm::isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
          return isLowered ? "" : kNoLowering.str();
        })))
      signalPassFailure();
  }
};

} // namespace
} // namespace fuselage
