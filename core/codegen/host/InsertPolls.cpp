#include "core/codegen/host/Passes.h"
#include "core/codegen/host/kernels/HostKernels.h"
#include "core/executable/HostSymbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTINSERTPOLLSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
/// True if a loop body holds another loop.
static bool holdsLoop(scf::ForOp loop) {
  return loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Calls the poll function in loops that hold loops, from the outermost down to the first that is
/// likely to run often; innermost loops stay as they are, for the vectorizer's sake.
static void insertPolls(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!holdsLoop(loop) || isHostKernel(loop->getParentOfType<func::FuncOp>().getName()))
      return WalkResult::skip();
    loops.push_back(loop);
    std::optional<APInt> trips = loop.getStaticTripCount();
    return trips && trips->ult(64) ? WalkResult::advance() : WalkResult::skip();
  });
  if (loops.empty())
    return;
  OpBuilder builder(module.getBodyRegion());
  func::FuncOp::create(builder, module.getLoc(), host::kPoll, builder.getFunctionType({}, {})).setPrivate();
  for (scf::ForOp loop : loops) {
    builder.setInsertionPointToStart(loop.getBody());
    func::CallOp::create(builder, loop.getLoc(), host::kPoll, TypeRange());
  }
}

namespace {
struct HostInsertPolls : impl::HostInsertPollsPassBase<HostInsertPolls> {
  void runOnOperation() override { insertPolls(getOperation()); }
};
} // namespace
} // namespace fuselage
