#include "core/transforms/attention/AttentionSizes.h"
#include "core/transforms/attention/TiledAttention.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {
namespace {

class LoopReader : TiledAttention {
public:
  using TiledAttention::TiledAttention;

  std::optional<AttentionLoop> read() {
    if (!find() || !hasKnownCounts())
      return std::nullopt;
    AttentionLoop loop{.forall = forall_,
                       .queries = queries_.range,
                       .keys = keys_.range,
                       .queryTile = std::min(queries_.before, queries_.range),
                       .keyTile = std::min(keys_.before, keys_.range),
                       .depth = widthOf(operandOf(scores_, /*hasQueries=*/true)),
                       .width = widthOf(operandOf(context_, /*hasQueries=*/false)),
                       .counts = SmallVector<int64_t>(forall_.getStaticUpperBound()),
                       .queryType = elementOf(operandOf(scores_, /*hasQueries=*/true)),
                       .keyType = elementOf(operandOf(scores_, /*hasQueries=*/false)),
                       .valueType = elementOf(operandOf(context_, /*hasQueries=*/false)),
                       .scoreType = elementOf(scores_->getResult(0)),
                       .contextType = elementOf(context_->getResult(0))};
    for (auto [block, bound] : llvm::zip_equal(forall_.getInductionVars(), forall_.getStaticUpperBound()))
      loop.heads *= block == queries_.block ? 1 : std::max<int64_t>(bound, 1);
    loop.counts.push_back(*getConstantIntValue(loop_.getUpperBound()));
    return loop;
  }

private:
  static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

  /// The operand of a product that has queries or probabilities of theirs, or the other one.
  Value operandOf(linalg::LinalgOp product, bool hasQueries) {
    for (Value input : product.getDpsInputs())
      if (llvm::is_contained(dims_[input], std::optional<Along>(Along::Queries)) == hasQueries)
        return input;
    return product.getDpsInputs().front();
  }
};

} // namespace

std::optional<AttentionLoop> attentionLoopOf(Operation *dispatch) {
  if (dispatch->getNumRegions() == 0 || !dispatch->getRegion(0).hasOneBlock())
    return std::nullopt;
  std::optional<AttentionLoop> found;
  IRRewriter rewriter(dispatch->getContext());
  for (auto forall : dispatch->getRegion(0).front().getOps<scf::ForallOp>()) {
    std::optional<AttentionLoop> loop = LoopReader(rewriter, forall).read();
    if (loop && found)
      return std::nullopt;
    if (loop)
      found = std::move(loop);
  }
  return found;
}

} // namespace fuselage
