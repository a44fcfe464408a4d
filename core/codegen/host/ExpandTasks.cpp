#include "core/codegen/host/Passes.h"
#include "core/codegen/host/kernels/ParallelCalls.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTEXPANDTASKSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {
struct HostExpandTasks : impl::HostExpandTasksPassBase<HostExpandTasks> {
  void runOnOperation() override { expandParallelCalls(getOperation()); }
};
} // namespace
} // namespace fuselage
