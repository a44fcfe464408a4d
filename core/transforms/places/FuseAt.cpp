// fuselage-fuse-at: passes on the ops around one edge.
#include "core/transforms/places/OutlinedPlace.h"
#include "core/transforms/places/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEATPASS
#include "core/transforms/places/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

constexpr unsigned mostReach = 8;

struct FuseAtPass : impl::FuseAtPassBase<FuseAtPass> {
  using FuseAtPassBase::FuseAtPassBase;

  std::string passesText() const { return llvm::join(passes, ","); }

  /// Those of the passes that it runs: dialects are loaded before any pass runs.
  void getDependentDialects(DialectRegistry &registry) const override {
    FuseAtPassBase::getDependentDialects(registry);
    OpPassManager functions(func::FuncOp::getOperationName());
    if (succeeded(parsePassPipeline(passesText(), functions, llvm::nulls())))
      functions.getDependentDialects(registry);
  }

  void runOnOperation() override;
};

} // namespace

void FuseAtPass::runOnOperation() {
  ModuleOp module = getOperation();
  Operation *producer = nullptr, *consumer = nullptr;
  int64_t next = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (next == from)
      producer = op;
    if (next == to)
      consumer = op;
    ++next;
  });
  auto refuse = [&](const Twine &why) {
    module.emitError() << "fuselage-fuse-at: " << why;
    signalPassFailure();
  };
  if (passes.empty())
    return refuse("give 'from', 'to' and 'passes', the passes to run on the ops around the edge");
  if (!producer || !consumer)
    return refuse("there is no op " + Twine(producer ? to : from) + "; 'fuselage explain' gives the numbers of ops");
  if (reach > mostReach)
    return refuse("'reach' is at most " + Twine(mostReach));
  if (llvm::Error error = fuseAt(producer, consumer, reach, passesText()))
    refuse(takeFailure(std::move(error)).message);
}

} // namespace fuselage
