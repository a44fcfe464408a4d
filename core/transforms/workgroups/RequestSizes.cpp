// fuselage-request-sizes: puts requested tile sizes on the op that shapes a dispatch.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"

namespace fuselage {
#define GEN_PASS_DEF_REQUESTSIZESPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// The op that takes sizes, and its loops; null if there is none.
std::pair<Operation *, SmallVector<int64_t>> shapingOpOf(flow::DispatchRegionOp region) {
  auto attentions = llvm::to_vector(region.getBody().front().getOps<flow::AttentionOp>());
  if (attentions.size() == 1)
    return {attentions.front(), attentions.front().getStaticLoopRanges()};
  if (linalg::LinalgOp shaping = shapingOp(region))
    return {shaping, shaping.getStaticLoopRanges()};
  return {};
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
    auto [op, ranges] = shapingOpOf(found);
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
