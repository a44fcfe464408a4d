// tensor.expand_shape and tensor.collapse_shape: a range of rows on one side is one on the other.
#include "core/interfaces/FusableOpInterface.h"
#include "core/interfaces/Models.h"
#include "core/interfaces/ReshapeTiles.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

using Refusal = std::optional<FusableRefusal>;
using Tiles = ArrayRef<SmallVector<OpFoldResult>>;

ReshapeTiles tilesOf(tensor::ExpandShapeOp op) { return {op.getResult(), op.getSrc(), op.getReassociationIndices()}; }
ReshapeTiles tilesOf(tensor::CollapseShapeOp op) { return {op.getSrc(), op.getResult(), op.getReassociationIndices()}; }

/// The sizes of the expanded side.
SmallVector<OpFoldResult> extentsOf(OpBuilder &, Location, tensor::ExpandShapeOp op) {
  return op.getMixedOutputShape();
}
SmallVector<OpFoldResult> extentsOf(OpBuilder &b, Location loc, tensor::CollapseShapeOp op) {
  return tensor::getMixedSizes(b, loc, op.getSrc());
}

/// The slice of `source` that `tile` is.
tensor::ExtractSliceOp sliceOf(OpBuilder &b, Location loc, Value source, const Tile &tile) {
  SmallVector<OpFoldResult> strides(tile.offsets.size(), b.getIndexAttr(1));
  for (auto [i, stride] : llvm::enumerate(tile.strides))
    strides[i] = b.getIndexAttr(stride);
  return tensor::ExtractSliceOp::create(b, loc, source, tile.offsets, tile.sizes, strides);
}

/// The reshape of a slice of the source: a result of `sizes`.
Operation *reshape(OpBuilder &b, Location loc, tensor::ExpandShapeOp op, Value slice, ArrayRef<OpFoldResult> sizes) {
  auto type = RankedTensorType::get(decomposeMixedValues(SmallVector<OpFoldResult>(sizes)).first,
                                    op.getResultType().getElementType(), op.getResultType().getEncoding());
  return tensor::ExpandShapeOp::create(b, loc, type, slice, op.getReassociationIndices(), sizes);
}
Operation *reshape(OpBuilder &b, Location loc, tensor::CollapseShapeOp op, Value slice, ArrayRef<OpFoldResult>) {
  return tensor::CollapseShapeOp::create(b, loc, slice, op.getReassociationIndices());
}

/// What both have in common; which side is the source is said by Derived's `toSource` and
/// `toResult`.
template <typename Derived, typename Op> struct ReshapeModel : FusableOpInterface::ExternalModel<Derived, Op> {
  FailureOr<TilingResult> generateResultTileValue(Operation *raw, OpBuilder &b, unsigned,
                                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) const {
    auto op = cast<Op>(raw);
    if (Derived::explainToSource(tilesOf(op), offsets, sizes))
      return failure();
    Tile tile = Derived::toSource(b, op, offsets, sizes);
    return build(b, op, tile, sizes);
  }

  Refusal explainResultTile(Operation *op, unsigned, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) const {
    return Derived::explainToSource(tilesOf(cast<Op>(op)), offsets, sizes);
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(Operation *raw, OpBuilder &b, ArrayRef<unsigned>,
                                                                 Tiles offsets, Tiles sizes) const {
    auto op = cast<Op>(raw);
    if (Derived::explainToResult(tilesOf(op), offsets.front(), sizes.front()))
      return failure();
    Tile source{SmallVector<OpFoldResult>(offsets.front()), SmallVector<OpFoldResult>(sizes.front()), {}};
    return build(b, op, source, Derived::toResult(b, op, source.offsets, source.sizes).sizes);
  }

  LogicalResult getIterationDomainTileFromOperandTiles(Operation *raw, OpBuilder &b, ArrayRef<unsigned>, Tiles offsets,
                                                       Tiles sizes, SmallVectorImpl<OpFoldResult> &iterDomainOffsets,
                                                       SmallVectorImpl<OpFoldResult> &iterDomainSizes) const {
    auto op = cast<Op>(raw);
    if (Derived::explainToResult(tilesOf(op), offsets.front(), sizes.front()))
      return failure();
    Tile tile = Derived::toResult(b, op, offsets.front(), sizes.front());
    iterDomainOffsets.assign(tile.offsets);
    iterDomainSizes.assign(tile.sizes);
    return success();
  }

  Refusal explainOperandTiles(Operation *op, ArrayRef<unsigned>, Tiles offsets, Tiles sizes) const {
    return Derived::explainToResult(tilesOf(cast<Op>(op)), offsets.front(), sizes.front());
  }

private:
  static TilingResult build(OpBuilder &b, Op op, const Tile &source, ArrayRef<OpFoldResult> resultSizes) {
    auto slice = sliceOf(b, op.getLoc(), op.getSrc(), source);
    Operation *tiled = reshape(b, op.getLoc(), op, slice, resultSizes);
    return {{tiled}, {tiled->getResult(0)}, {slice}};
  }
};

/// From the side of `op` that has more dimensions to the other.
template <typename Op>
Tile collapseTile(OpBuilder &b, Op op, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  return tilesOf(op).collapse(b, op.getLoc(), extentsOf(b, op.getLoc(), op), offsets, sizes);
}
/// And back.
template <typename Op>
Tile expandTile(OpBuilder &b, Op op, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  return tilesOf(op).expand(b, op.getLoc(), extentsOf(b, op.getLoc(), op), offsets, sizes);
}

struct ExpandShapeModel : ReshapeModel<ExpandShapeModel, tensor::ExpandShapeOp> {
  static Refusal explainToSource(const ReshapeTiles &tiles, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
    return tiles.explainCollapse(offsets, sizes);
  }
  static Refusal explainToResult(const ReshapeTiles &tiles, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
    return tiles.explainExpand(offsets, sizes);
  }
  static constexpr auto toSource = collapseTile<tensor::ExpandShapeOp>;
  static constexpr auto toResult = expandTile<tensor::ExpandShapeOp>;
};

struct CollapseShapeModel : ReshapeModel<CollapseShapeModel, tensor::CollapseShapeOp> {
  static Refusal explainToSource(const ReshapeTiles &tiles, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
    return tiles.explainExpand(offsets, sizes);
  }
  static Refusal explainToResult(const ReshapeTiles &tiles, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
    return tiles.explainCollapse(offsets, sizes, /*allowStrides=*/false);
  }
  static constexpr auto toSource = expandTile<tensor::CollapseShapeOp>;
  static constexpr auto toResult = collapseTile<tensor::CollapseShapeOp>;
};

} // namespace

void registerReshapeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExpandShapeOp::attachInterface<ExpandShapeModel>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseShapeModel>(*context);
  });
}

} // namespace fuselage
