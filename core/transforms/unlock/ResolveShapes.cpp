#include "core/interfaces/IndexFacts.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_RESOLVESHAPESPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct ResolveShapesPass : impl::ResolveShapesPassBase<ResolveShapesPass> {
  void runOnOperation() override;
};

/// The dimensions of the shape with more of them for each dimension of the other; nullopt: they do not line up. A
/// dynamic dimension stands for one dynamic dimension, with what is before it if it is the first.
std::optional<SmallVector<ReassociationIndices>> groupDims(ArrayRef<int64_t> wide, ArrayRef<int64_t> narrow) {
  if (narrow.empty() || wide.size() <= narrow.size())
    return std::nullopt;
  SmallVector<ReassociationIndices> groups(narrow.size());
  int64_t next = wide.size() - 1;
  for (int64_t dim = narrow.size() - 1; dim >= 0; --dim) {
    bool isDynamic = false;
    int64_t product = 1;
    // Each of the others takes one at least.
    auto isFull = [&] { return ShapedType::isDynamic(narrow[dim]) ? isDynamic : product == narrow[dim]; };
    while (next >= dim && (dim == 0 || groups[dim].empty() || !isFull())) {
      isDynamic |= ShapedType::isDynamic(wide[next]);
      product *= ShapedType::isDynamic(wide[next]) ? 1 : wide[next];
      groups[dim].insert(groups[dim].begin(), next--);
    }
    if (groups[dim].empty() || isDynamic != ShapedType::isDynamic(narrow[dim]) || !isFull())
      return std::nullopt;
  }
  return next < 0 ? std::optional(groups) : std::nullopt;
}

/// Element `dim` of the shape that a reshape is given, as an index.
Value sizeGiven(OpBuilder &builder, tensor::ReshapeOp reshape, int64_t dim) {
  Location loc = reshape.getLoc();
  Value size;
  if (auto elements = reshape.getShape().getDefiningOp<tensor::FromElementsOp>()) {
    size = elements.getElements()[dim];
  } else {
    Value at = arith::ConstantIndexOp::create(builder, loc, dim);
    size = tensor::ExtractOp::create(builder, loc, reshape.getShape(), at);
  }
  while (auto cast = size.getDefiningOp<arith::IndexCastOp>())
    size = cast.getIn();
  return size.getType().isIndex() ? size : builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), size);
}

/// Whether the group's one dynamic size is known to be that of the dimension, and the others make 1.
bool isSameSize(tensor::ReshapeOp reshape, Value given, int64_t source) {
  return given && coversDim(OpBuilder(reshape).getIndexAttr(0), given, reshape.getSource(), source);
}

/// As the number of elements stays, one group of dimensions may be equal without proof if all others are.
bool areGroupsEqual(OpBuilder &builder, tensor::ReshapeOp reshape, ArrayRef<ReassociationIndices> groups,
                    bool collapses) {
  auto source = cast<RankedTensorType>(reshape.getSource().getType()),
       result = cast<RankedTensorType>(reshape.getType());
  RankedTensorType wide = collapses ? source : result, narrow = collapses ? result : source;
  bool hasElements = llvm::none_of(source.getShape(), [](int64_t size) { return size == 0; });
  if (narrow.getNumDynamicDims() <= 1)
    return hasElements;
  unsigned unproven = 0;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    if (!narrow.isDynamicDim(dim))
      continue;
    int64_t product = 1;
    SmallVector<int64_t> dynamic;
    for (int64_t inner : group) {
      if (wide.isDynamicDim(inner))
        dynamic.push_back(inner);
      else
        product *= wide.getDimSize(inner);
    }
    bool isProven = dynamic.size() == 1 && product == 1 &&
                    isSameSize(reshape, sizeGiven(builder, reshape, collapses ? dim : dynamic.front()),
                               collapses ? dynamic.front() : dim);
    unproven += !isProven;
  }
  return unproven == 0 || (unproven == 1 && hasElements);
}

/// The reshape as one that says which dimensions it joins or splits; null if it does neither alone.
Value resolved(OpBuilder &builder, tensor::ReshapeOp reshape) {
  auto source = dyn_cast<RankedTensorType>(reshape.getSource().getType());
  auto result = dyn_cast<RankedTensorType>(reshape.getType());
  if (!source || !result)
    return {};
  bool collapses = source.getRank() > result.getRank();
  RankedTensorType wide = collapses ? source : result, narrow = collapses ? result : source;
  auto groups = groupDims(wide.getShape(), narrow.getShape());
  if (!groups || !areGroupsEqual(builder, reshape, *groups, collapses))
    return {};
  if (collapses)
    return tensor::CollapseShapeOp::create(builder, reshape.getLoc(), result, reshape.getSource(), *groups);
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < result.getRank(); ++dim)
    sizes.push_back(result.isDynamicDim(dim) ? OpFoldResult(sizeGiven(builder, reshape, dim))
                                             : builder.getIndexAttr(result.getDimSize(dim)));
  return tensor::ExpandShapeOp::create(builder, reshape.getLoc(), result, reshape.getSource(), *groups, sizes);
}

void resolveReshapes(RewriterBase &rewriter, FunctionOpInterface function) {
  SmallVector<tensor::ReshapeOp> reshapes;
  function->walk([&](tensor::ReshapeOp reshape) {
    if (isOutsideDispatch(reshape))
      reshapes.push_back(reshape);
  });
  for (tensor::ReshapeOp reshape : reshapes) {
    rewriter.setInsertionPoint(reshape);
    if (Value value = resolved(rewriter, reshape))
      rewriter.replaceOp(reshape, value);
  }
}

void ResolveShapesPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  DeadOpEraser eraser(getOperation());
  resolveReshapes(rewriter, getOperation());
  resolveSizes(rewriter, getOperation());
  // Sizes of what was reshaped are those of what was there before.
  RewritePatternSet patterns(&getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, &getContext());
  SmallVector<Operation *> dims;
  getOperation()->walk([&](tensor::DimOp dim) {
    if (dim.getSource().getDefiningOp() && isOutsideDispatch(dim))
      dims.push_back(dim);
  });
  applyPatternsTo(dims, std::move(patterns));
  // What was only asked for its size would count as a reader.
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage
