#include "core/transforms/attention/AttentionSizes.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"

using namespace mlir;

namespace fuselage {

AttentionDims::AttentionDims(flow::AttentionOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap ofKeys = op.getMatchingIndexingMap(op.getKeysMutable()),
            ofValues = op.getMatchingIndexingMap(op.getValuesMutable()), written = maps.back();
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    if (dim >= op.getScoreRank())
      (written.isFunctionOfDim(dim) ? columns : depth).push_back(dim);
    else if (llvm::is_contained(op.getKeyDims(), int64_t(dim)))
      keys.push_back(dim);
    else if (!ofKeys.isFunctionOfDim(dim) && !ofValues.isFunctionOfDim(dim))
      queries = dim;
  }
  for (unsigned dim = 0; dim < op.getScoreRank(); ++dim)
    if (dim != queries && !llvm::is_contained(keys, dim))
      batches.push_back(dim);
}

std::optional<AttentionSizes> attentionSizesOf(flow::AttentionOp op) {
  AttentionDims dims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ShapedType::isDynamicShape(ranges) || !dims.queries || dims.keys.size() != 1 || dims.depth.size() != 1)
    return std::nullopt;
  auto element = [](Value tensor) { return getElementTypeOrSelf(tensor.getType()); };
  Block &scores = op.getScoresRegion().front(), &context = op.getContextRegion().front();
  AttentionSizes sizes{.op = op,
                       .queries = ranges[*dims.queries],
                       .keys = ranges[dims.keys.front()],
                       .depth = ranges[dims.depth.front()],
                       .queryType = scores.getArgument(0).getType(),
                       .keyType = element(op.getKeys()),
                       .valueType = element(op.getValues()),
                       .probabilityType = context.getArgument(0).getType(),
                       .scoreType = accumulatorTypeOf(scores.getArgument(2).getType()),
                       .contextType = accumulatorTypeOf(context.getArgument(2).getType())};
  for (unsigned dim : dims.batches)
    sizes.heads *= std::max<int64_t>(ranges[dim], 1);
  for (unsigned dim : dims.columns)
    sizes.width *= ranges[dim];
  return sizes;
}

std::optional<AttentionSizes> attentionIn(Operation *dispatch) {
  if (dispatch->getNumRegions() == 0 || !dispatch->getRegion(0).hasOneBlock())
    return std::nullopt;
  auto attentions = llvm::to_vector(dispatch->getRegion(0).front().getOps<flow::AttentionOp>());
  return attentions.size() == 1 ? attentionSizesOf(attentions.front()) : std::nullopt;
}

} // namespace fuselage
