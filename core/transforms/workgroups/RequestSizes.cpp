// fuselage-ask-sizes: somebody knows better tiles of a dispatch.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {
#define GEN_PASS_DEF_ASKSIZESPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Of fused attention the loop over workgroups, which takes sizes as an op does, and how often it and the loop over
/// keys run.
std::pair<Operation *, SmallVector<int64_t>> loopOverTiles(flow::DispatchRegionOp region) {
  scf::ForallOp forall;
  for (auto each : region.getBody().front().getOps<scf::ForallOp>()) {
    if (forall)
      return {};
    forall = each;
  }
  auto steps = forall ? llvm::to_vector(forall.getBody()->getOps<scf::ForOp>()) : SmallVector<scf::ForOp>();
  std::optional<APInt> count = steps.size() == 1 ? steps.front().getStaticTripCount() : std::nullopt;
  if (!count)
    return {};
  SmallVector<int64_t> loops(forall.getStaticUpperBound());
  loops.push_back(count->getSExtValue());
  return {forall, loops};
}

struct AskSizesPass : impl::AskSizesPassBase<AskSizesPass> {
  using AskSizesPassBase::AskSizesPassBase;

  void runOnOperation() override {
    unsigned number = 0;
    flow::DispatchRegionOp wanted;
    getOperation().walk<WalkOrder::PreOrder>([&](flow::DispatchRegionOp region) {
      if (number++ == dispatch)
        wanted = region;
    });
    if (!wanted) {
      getOperation().emitRemark("there is no dispatch ") << dispatch.getValue() << "; the pipeline chooses all sizes";
      return;
    }
    auto [op, ranges] = loopOverTiles(wanted);
    if (linalg::LinalgOp shaping = op ? nullptr : shapingOp(wanted)) {
      op = shaping;
      ranges = shaping.getStaticLoopRanges();
    }
    if (!op || !llvm::equal(ranges, loops)) {
      wanted.emitRemark("dispatch ") << dispatch.getValue()
                                     << " has not the loops that sizes are asked for; the pipeline chooses them";
      return;
    }
    TilingConfig config;
    llvm::append_range(config.workgroup, workgroup);
    llvm::append_range(config.reduction, reduction);
    llvm::append_range(config.split, split);
    writeTilingConfig(op, config);
  }
};

} // namespace
} // namespace fuselage
