// scatter as a loop over its updates, gather as a linalg.generic that reads where it is told.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {
namespace {

/// How an updated (gathered) element finds its place in the whole: leading dimensions count indices, the others run
/// through a slice.
struct IndexedSlices {
  SmallVector<int64_t> dimensionMap; ///< the whole's dimension of each index
  unsigned batchRank = 0;            ///< dimensions of `indices` that count
  bool hasDepth = false;             ///< whether its last dimension lists one index for each of the map

  /// The element's coordinates in the whole, of those among the slices.
  SmallVector<Value> place(OpBuilder &builder, Location loc, Value indices, ValueRange at, unsigned wholeRank) const {
    SmallVector<Value> place(wholeRank);
    for (auto [number, dim] : llvm::enumerate(dimensionMap)) {
      SmallVector<Value> coordinates(at.take_front(batchRank));
      if (hasDepth)
        coordinates.push_back(indexConstant(builder, loc, number));
      place[dim] = asIndex(builder, loc, tensor::ExtractOp::create(builder, loc, indices, coordinates));
    }
    unsigned next = batchRank;
    for (Value &coordinate : place)
      if (!coordinate)
        coordinate = at[next++];
    return place;
  }
};

std::optional<IndexedSlices> readSlices(CompositeOp op, RankedTensorType slices, RankedTensorType indices,
                                        RankedTensorType whole) {
  IndexedSlices found;
  found.dimensionMap = op.integers("dimension_map");
  int64_t depth = found.dimensionMap.size(), rank = whole.getRank();
  llvm::SmallDenseSet<int64_t> unique(found.dimensionMap.begin(), found.dimensionMap.end());
  if (depth == 0 || depth > rank || int64_t(unique.size()) != depth ||
      !llvm::all_of(unique, [&](int64_t dim) { return dim >= 0 && dim < rank; }) ||
      !isa<IntegerType, IndexType>(indices.getElementType()) || slices.getElementType() != whole.getElementType())
    return std::nullopt;
  int64_t batchRank = slices.getRank() - (rank - depth);
  found.hasDepth = indices.getRank() == batchRank + 1 && indices.getShape().back() == depth;
  if (batchRank < 0 || (!found.hasDepth && (indices.getRank() != batchRank || depth != 1)))
    return std::nullopt;
  found.batchRank = batchRank;
  return found;
}

} // namespace

Decomposition decomposeScatter(OpBuilder &builder, CompositeOp op) {
  if (!op.isOnTensors(2, 1) || !op.hasKnownBody() || op.body()->getNumArguments() != 2)
    return {};
  Value updates = op.inputs()[0], indices = op.inputs()[1], original = op.outputs()[0];
  auto whole = cast<RankedTensorType>(original.getType());
  auto slices = readSlices(op, cast<RankedTensorType>(updates.getType()), cast<RankedTensorType>(indices.getType()), whole);
  auto hasElement = [&](Value value) { return value.getType() == whole.getElementType(); };
  if (!slices || !llvm::all_of(op.body()->getArguments(), hasElement) || op.body()->back().getNumOperands() != 1 ||
      !hasElement(op.body()->back().getOperand(0)))
    return {};
  SmallVector<Value> sizes = sizeValues(builder, op.loc(), updates);
  return scalarNest(builder, op.loc(), sizes, original,
                    [&](OpBuilder &inner, Location loc, ValueRange loops, ValueRange carried) -> SmallVector<Value> {
                      SmallVector<Value> place = slices->place(inner, loc, indices, loops, whole.getRank());
                      Value update = tensor::ExtractOp::create(inner, loc, updates, loops);
                      Value old = tensor::ExtractOp::create(inner, loc, carried[0], place);
                      Value changed = op.inlineBody(inner, {update, old}).front();
                      return {tensor::InsertOp::create(inner, loc, changed, carried[0], place)};
                    });
}

Decomposition decomposeGather(OpBuilder &builder, CompositeOp op) {
  if (!op.isOnTensors(2, 1))
    return {};
  Value source = op.inputs()[0], indices = op.inputs()[1], output = op.outputs()[0];
  auto whole = cast<RankedTensorType>(source.getType());
  auto type = cast<RankedTensorType>(output.getType());
  auto slices = readSlices(op, type, cast<RankedTensorType>(indices.getType()), whole);
  if (!slices)
    return {};
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, op.loc(), type, ValueRange(), output, maps, loops, [&](OpBuilder &inner, Location loc, ValueRange) {
        SmallVector<Value> at;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          at.push_back(linalg::IndexOp::create(inner, loc, dim));
        SmallVector<Value> place = slices->place(inner, loc, indices, at, whole.getRank());
        Value element = tensor::ExtractOp::create(inner, loc, source, place);
        linalg::YieldOp::create(inner, loc, element);
      });
  return {generic.getResult(0)};
}

} // namespace fuselage
