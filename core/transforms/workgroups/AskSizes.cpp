// fuselage-ask-sizes: somebody knows better tiles of a dispatch.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"

namespace fuselage {
#define GEN_PASS_DEF_ASKSIZESPASS
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
    auto [op, ranges] = shapingOpOf(wanted);
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
