#include "core/codegen/host/Passes.h"
#include "core/codegen/host/Refusal.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTREFUSEUNSAFEPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostRefuseUnsafe : impl::HostRefuseUnsafePassBase<HostRefuseUnsafe> {
  void runOnOperation() override {
    if (failed(report(refuseUnsafe(getOperation()), getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace fuselage
