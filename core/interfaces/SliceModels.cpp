// tensor.extract_slice and tensor.cast: a tile of the result is a slice of the source, and nothing
// else.
#include "core/interfaces/FusableOpInterface.h"
#include "core/interfaces/IndexFacts.h"
#include "core/interfaces/Models.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

using Refusal = std::optional<FusableRefusal>;
using Tiles = ArrayRef<SmallVector<OpFoldResult>>;

SmallVector<OpFoldResult> ones(OpBuilder &b, size_t rank) { return SmallVector<OpFoldResult>(rank, b.getIndexAttr(1)); }

struct ExtractSliceModel : FusableOpInterface::ExternalModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  FailureOr<TilingResult> generateResultTileValue(Operation *raw, OpBuilder &b, unsigned,
                                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) const {
    auto op = cast<tensor::ExtractSliceOp>(raw);
    SmallVector<OpFoldResult> all, lengths, strides;
    if (failed(affine::mergeOffsetsSizesAndStrides(b, op.getLoc(), op.getMixedOffsets(), op.getMixedSizes(),
                                                   op.getMixedStrides(), op.getDroppedDims(), offsets, sizes,
                                                   ones(b, sizes.size()), all, lengths, strides)))
      return failure();
    auto type = RankedTensorType::get(decomposeMixedValues(SmallVector<OpFoldResult>(sizes)).first,
                                      op.getType().getElementType(), op.getType().getEncoding());
    auto slice = tensor::ExtractSliceOp::create(b, op.getLoc(), type, op.getSource(), all, lengths,
                                                neededStrides(b, lengths, strides));
    return TilingResult{{}, {slice}, {slice}};
  }

  /// Tiles outside of the slice have nothing to compute, and the others are cut: only dimensions
  /// that the loop does not cut, or the slice takes whole, can be told apart without knowing the
  /// iteration.
  Refusal explainOperandTiles(Operation *raw, ArrayRef<unsigned>, Tiles offsets, Tiles sizes) const {
    auto op = cast<tensor::ExtractSliceOp>(raw);
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
      if (!isWholeOf(op, dim) && !coversDim(offsets.front()[dim], sizes.front()[dim], op.getSource(), dim))
        return FusableRefusal{FusableReason::SliceCut, ("dimension " + llvm::Twine(dim) + " of the source").str()};
    return std::nullopt;
  }

  LogicalResult getIterationDomainTileFromOperandTiles(Operation *raw, OpBuilder &b, ArrayRef<unsigned> numbers,
                                                       Tiles offsets, Tiles sizes,
                                                       SmallVectorImpl<OpFoldResult> &iterDomainOffsets,
                                                       SmallVectorImpl<OpFoldResult> &iterDomainSizes) const {
    if (explainOperandTiles(raw, numbers, offsets, sizes))
      return failure();
    auto op = cast<tensor::ExtractSliceOp>(raw);
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<OpFoldResult> lengths = op.getMixedSizes();
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim) {
      if (dropped.test(dim))
        continue;
      bool isWhole = isWholeOf(op, dim);
      iterDomainOffsets.push_back(isWhole ? offsets.front()[dim] : OpFoldResult(b.getIndexAttr(0)));
      iterDomainSizes.push_back(isWhole ? sizes.front()[dim] : lengths[dim]);
    }
    return success();
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(Operation *raw, OpBuilder &b,
                                                                 ArrayRef<unsigned> numbers, Tiles offsets,
                                                                 Tiles sizes) const {
    auto op = cast<tensor::ExtractSliceOp>(raw);
    SmallVector<OpFoldResult> resultOffsets, resultSizes;
    if (failed(getIterationDomainTileFromOperandTiles(raw, b, numbers, offsets, sizes, resultOffsets, resultSizes)))
      return failure();
    auto tile = tensor::ExtractSliceOp::create(b, op.getLoc(), op.getSource(), offsets.front(), sizes.front(),
                                               ones(b, sizes.front().size()));
    // Of the tile, what the slice takes of the dimensions that the tile has all of.
    SmallVector<OpFoldResult> inner = op.getMixedOffsets(), lengths = op.getMixedSizes();
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
      if (isWholeOf(op, dim))
        lengths[dim] = sizes.front()[dim];
    auto type = RankedTensorType::get(decomposeMixedValues(resultSizes).first, op.getType().getElementType(),
                                      op.getType().getEncoding());
    auto slice = tensor::ExtractSliceOp::create(b, op.getLoc(), type, tile, inner, lengths,
                                                neededStrides(b, lengths, op.getMixedStrides()));
    return TilingResult{{slice}, {slice}, {tile}};
  }

private:
  /// True if the slice takes all of a dimension of its source, and keeps it.
  static bool isWholeOf(tensor::ExtractSliceOp op, int64_t dim) {
    return !op.getDroppedDims().test(dim) && isConstantIntValue(op.getMixedStrides()[dim], 1) &&
           coversDim(op.getMixedOffsets()[dim], op.getMixedSizes()[dim], op.getSource(), dim);
  }
};

struct CastModel : FusableOpInterface::ExternalModel<CastModel, tensor::CastOp> {
  FailureOr<TilingResult> generateResultTileValue(Operation *raw, OpBuilder &b, unsigned,
                                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) const {
    auto op = cast<tensor::CastOp>(raw);
    if (explain(op))
      return failure();
    return build(b, op, offsets, sizes);
  }
  Refusal explainResultTile(Operation *op, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) const {
    return explain(cast<tensor::CastOp>(op));
  }
  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(Operation *raw, OpBuilder &b, ArrayRef<unsigned>,
                                                                 Tiles offsets, Tiles sizes) const {
    auto op = cast<tensor::CastOp>(raw);
    if (explain(op))
      return failure();
    return build(b, op, offsets.front(), sizes.front());
  }
  LogicalResult getIterationDomainTileFromOperandTiles(Operation *op, OpBuilder &, ArrayRef<unsigned>, Tiles offsets,
                                                       Tiles sizes, SmallVectorImpl<OpFoldResult> &iterDomainOffsets,
                                                       SmallVectorImpl<OpFoldResult> &iterDomainSizes) const {
    iterDomainOffsets.assign(offsets.front());
    iterDomainSizes.assign(sizes.front());
    return success(!explain(cast<tensor::CastOp>(op)));
  }
  Refusal explainOperandTiles(Operation *op, ArrayRef<unsigned>, Tiles, Tiles) const {
    return explain(cast<tensor::CastOp>(op));
  }

private:
  static Refusal explain(tensor::CastOp op) {
    if (isa<RankedTensorType>(op.getSource().getType()) && isa<RankedTensorType>(op.getType()))
      return std::nullopt;
    return FusableRefusal{FusableReason::Unranked};
  }

  /// The slice has the sizes of the tile whichever of the two sides knew them; a cast remains where
  /// the types differ in their encoding.
  static TilingResult build(OpBuilder &b, tensor::CastOp op, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) {
    auto slice = tensor::ExtractSliceOp::create(b, op.getLoc(), op.getSource(), offsets, sizes, ones(b, sizes.size()));
    auto result = cast<RankedTensorType>(op.getType());
    auto type = RankedTensorType::get(slice.getType().getShape(), result.getElementType(), result.getEncoding());
    if (type == slice.getType())
      return {{}, {slice}, {slice}};
    auto tiled = tensor::CastOp::create(b, op.getLoc(), type, slice);
    return {{tiled}, {tiled}, {slice}};
  }
};

} // namespace

void registerSliceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::CastOp::attachInterface<CastModel>(*context);
  });
}

} // namespace fuselage
