// fuselage-request-sizes: puts requested tile sizes on the op that shapes a dispatch.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {
#define GEN_PASS_DEF_REQUESTSIZESPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Returns the loop over workgroups of fused attention, which has sizes as an op has, and the numbers of its tiles and
/// of those of keys. Null if `region` is not fused attention.
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

struct RequestSizesPass : impl::RequestSizesPassBase<RequestSizesPass> {
  using RequestSizesPassBase::RequestSizesPassBase;

  void runOnOperation() override {
    unsigned number = 0;
    flow::DispatchRegionOp found;
    getOperation().walk<WalkOrder::PreOrder>([&](flow::DispatchRegionOp region) {
      if (number++ == dispatch)
        found = region;
    });
    if (!found) {
      getOperation().emitRemark("there is no dispatch ") << dispatch.getValue() << "; the pipeline chooses all sizes";
      return;
    }
    auto [op, ranges] = loopOverTiles(found);
    if (linalg::LinalgOp shaping = op ? nullptr : shapingOp(found)) {
      op = shaping;
      ranges = shaping.getStaticLoopRanges();
    }
    if (!op || !llvm::equal(ranges, loops)) {
      found.emitRemark("dispatch ")
          << dispatch.getValue() << " does not have the loops that sizes are requested for; the pipeline chooses them";
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
