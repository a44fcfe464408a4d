// scatter as a loop over its updates, gather as a linalg.generic that reads where it is told: those
// of IREE and of tensor.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/composites/UpstreamComposites.h"
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

/// A tensor as `output` whose elements are read at places that depend on theirs.
Value gathered(OpBuilder &builder, Location loc, Value output,
               llvm::function_ref<Value(OpBuilder &, Location, ValueRange at)> read) {
  auto type = cast<RankedTensorType>(output.getType());
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(builder, loc, type, ValueRange(), output, maps, loops,
                                           [&](OpBuilder &inner, Location loc, ValueRange) {
                                             SmallVector<Value> at;
                                             for (int64_t dim = 0; dim < type.getRank(); ++dim)
                                               at.push_back(linalg::IndexOp::create(inner, loc, dim));
                                             linalg::YieldOp::create(inner, loc, read(inner, loc, at));
                                           });
  return generic.getResult(0);
}

} // namespace

Decomposition decomposeScatter(OpBuilder &builder, CompositeOp op) {
  if (!op.isOnTensors(2, 1) || !op.hasKnownBody() || op.body()->getNumArguments() != 2)
    return {};
  Value updates = op.inputs()[0], indices = op.inputs()[1], original = op.outputs()[0];
  auto whole = cast<RankedTensorType>(original.getType());
  auto slices =
      readSlices(op, cast<RankedTensorType>(updates.getType()), cast<RankedTensorType>(indices.getType()), whole);
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
  return {gathered(builder, op.loc(), output, [&](OpBuilder &inner, Location loc, ValueRange at) {
    SmallVector<Value> place = slices->place(inner, loc, indices, at, whole.getRank());
    return tensor::ExtractOp::create(inner, loc, source, place).getResult();
  })};
}

/// The indices of tensor.gather and tensor.scatter list one for each of `dims`, in their last
/// dimension.
static IndexedSlices upstreamSlices(RankedTensorType indices, ArrayRef<int64_t> dims) {
  IndexedSlices slices;
  slices.dimensionMap = llvm::to_vector(dims);
  slices.batchRank = indices.getRank() - 1;
  slices.hasDepth = true;
  return slices;
}

/// Coordinates among slices that keep a dimension of one element for each of `dims`, without those.
static SmallVector<Value> withoutUnits(ValueRange at, unsigned batchRank, ArrayRef<int64_t> dims, bool hasUnits) {
  SmallVector<Value> kept;
  for (auto [number, coordinate] : llvm::enumerate(at))
    if (!hasUnits || number < batchRank || !llvm::is_contained(dims, int64_t(number - batchRank)))
      kept.push_back(coordinate);
  return kept;
}

Value decompose(OpBuilder &builder, tensor::GatherOp op) {
  RankedTensorType type = op.getResultType(), whole = op.getSourceType();
  ArrayRef<int64_t> dims = op.getGatherDims();
  IndexedSlices slices = upstreamSlices(op.getIndicesType(), dims);
  bool hasUnits = type.getRank() == slices.batchRank + whole.getRank();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op.getLoc(), op.getIndices());
  sizes.pop_back();
  for (auto [dim, size] : llvm::enumerate(tensor::getMixedSizes(builder, op.getLoc(), op.getSource())))
    if (!llvm::is_contained(dims, int64_t(dim)))
      sizes.push_back(size);
    else if (hasUnits)
      sizes.push_back(builder.getIndexAttr(1));
  Value output = tensor::EmptyOp::create(builder, op.getLoc(), sizes, type.getElementType());
  if (output.getType() != type)
    output = tensor::CastOp::create(builder, op.getLoc(), type, output);
  return gathered(builder, op.getLoc(), output, [&](OpBuilder &inner, Location loc, ValueRange at) {
    SmallVector<Value> kept = withoutUnits(at, slices.batchRank, dims, hasUnits);
    SmallVector<Value> place = slices.place(inner, loc, op.getIndices(), kept, whole.getRank());
    return tensor::ExtractOp::create(inner, loc, op.getSource(), place).getResult();
  });
}

Value decompose(OpBuilder &builder, tensor::ScatterOp op) {
  RankedTensorType whole = op.getDestType(), updates = op.getSourceType();
  ArrayRef<int64_t> dims = op.getScatterDims();
  IndexedSlices slices = upstreamSlices(op.getIndicesType(), dims);
  bool hasUnits = updates.getRank() == slices.batchRank + whole.getRank();
  auto write = [&](OpBuilder &inner, Location loc, ValueRange loops, ValueRange carried) -> SmallVector<Value> {
    SmallVector<Value> kept = withoutUnits(loops, slices.batchRank, dims, hasUnits);
    SmallVector<Value> place = slices.place(inner, loc, op.getIndices(), kept, whole.getRank());
    Value update = tensor::ExtractOp::create(inner, loc, op.getSource(), loops);
    return {tensor::InsertOp::create(inner, loc, update, carried[0], place)};
  };
  return scalarNest(builder, op.getLoc(), sizeValues(builder, op.getLoc(), op.getSource()), op.getDest(), write)
      .front();
}

} // namespace fuselage
