// gather as a linalg.generic that reads where it is told, scatter as loops over its updates.
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What gather and scatter have alike, by the names that gather has: which dimensions of the indexed tensor the
/// indices choose, which they share with it, and which a slice has.
struct IndexDimensions {
  SmallVector<int64_t> sliceDims;    ///< of the result (updates): they run through a slice
  SmallVector<int64_t> collapsed;    ///< of the indexed tensor: a slice does not have them
  SmallVector<int64_t> batch;        ///< of the indexed tensor: shared with the indices
  SmallVector<int64_t> indicesBatch; ///< the same, of the indices
  SmallVector<int64_t> chosen;       ///< of the indexed tensor, one for each number of an index
  int64_t vectorDim = 0;             ///< of the indices: an index's numbers; their rank if an index is a scalar

  /// Whether the numbers are dimensions that exist and occur once.
  bool fit(RankedTensorType whole, RankedTensorType indices, RankedTensorType slices) const;
  SmallVector<int64_t> sliceDimsOfWhole(int64_t rank) const;
};

bool areDims(ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallDenseSet<int64_t> unique(dims.begin(), dims.end());
  return unique.size() == dims.size() && llvm::all_of(dims, [&](int64_t dim) { return dim >= 0 && dim < rank; });
}

SmallVector<int64_t> IndexDimensions::sliceDimsOfWhole(int64_t rank) const {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(collapsed, dim) && !llvm::is_contained(batch, dim))
      dims.push_back(dim);
  return dims;
}

bool IndexDimensions::fit(RankedTensorType whole, RankedTensorType indices, RankedTensorType slices) const {
  SmallVector<int64_t> missing(collapsed);
  llvm::append_range(missing, batch);
  bool hasVector = vectorDim < indices.getRank();
  int64_t numbers = hasVector ? indices.getDimSize(vectorDim) : 1;
  int64_t batchRank = indices.getRank() - (hasVector ? 1 : 0);
  return areDims(sliceDims, slices.getRank()) && areDims(missing, whole.getRank()) &&
         areDims(chosen, whole.getRank()) && areDims(indicesBatch, indices.getRank()) && vectorDim >= 0 &&
         vectorDim <= indices.getRank() && batch.size() == indicesBatch.size() &&
         !llvm::is_contained(indicesBatch, vectorDim) && numbers == int64_t(chosen.size()) &&
         sliceDims.size() + missing.size() == size_t(whole.getRank()) &&
         batchRank + int64_t(sliceDims.size()) == slices.getRank() && isa<IntegerType>(indices.getElementType());
}

/// The start of a slice, and where in it an element is: their sum is the element's place.
struct Place {
  SmallVector<Value> start, offset;
};

/// Coordinates that count indices: those of the result (updates) that do not run through a slice.
template <typename T> SmallVector<T> batchOf(const IndexDimensions &dims, ArrayRef<T> at) {
  SmallVector<T> batch;
  for (auto [dim, coordinate] : llvm::enumerate(at))
    if (!llvm::is_contained(dims.sliceDims, int64_t(dim)))
      batch.push_back(coordinate);
  return batch;
}

/// Of the element at `at` in the result (updates), whose index has these numbers.
Place placeOf(OpBuilder &builder, Location loc, const IndexDimensions &dims, ValueRange numbers, bool isUnsigned,
              int64_t rank, ArrayRef<Value> at) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Place place{SmallVector<Value>(rank, zero), SmallVector<Value>(rank, zero)};
  SmallVector<Value> batch = batchOf(dims, at);
  Type type = builder.getIndexType();
  for (auto [number, dim] : llvm::zip_equal(numbers, dims.chosen))
    place.start[dim] = isUnsigned ? arith::IndexCastUIOp::create(builder, loc, type, number).getResult()
                                  : arith::IndexCastOp::create(builder, loc, type, number).getResult();
  for (auto [dim, indexDim] : llvm::zip_equal(dims.batch, dims.indicesBatch))
    place.start[dim] = batch[indexDim - (indexDim > dims.vectorDim ? 1 : 0)];
  for (auto [dim, sliceDim] : llvm::zip_equal(dims.sliceDimsOfWhole(rank), dims.sliceDims))
    place.offset[dim] = at[sliceDim];
  return place;
}

//===-- gather ------------------------------------------------------------===//

std::optional<IndexDimensions> gatherDimensions(HloOp op) {
  HloText text = HloText::of(op.attribute({"dimension_numbers"}));
  if (text.empty())
    return std::nullopt;
  return IndexDimensions{text.integers("offset_dims"),           text.integers("collapsed_slice_dims"),
                         text.integers("operand_batching_dims"), text.integers("start_indices_batching_dims"),
                         text.integers("start_index_map"),       text.integer("index_vector_dim").value_or(0)};
}

/// Of dynamic_gather: the constant that the third operand is.
std::optional<SmallVector<int64_t>> sliceSizes(HloCall &call) {
  return call.operands.size() < 3 ? call.op.integers({"slice_sizes"}) : integersOf(call.op->getOperand(2));
}

/// Slices that would begin too late begin where they fit.
SmallVector<Value> clampedPlace(OpBuilder &builder, Location loc, const Place &place, const IndexDimensions &dims,
                                RankedTensorType whole, ArrayRef<int64_t> sizes) {
  SmallVector<Value> at;
  for (auto [dim, start, offset] : llvm::enumerate(place.start, place.offset)) {
    Value from = start;
    if (llvm::is_contained(dims.chosen, int64_t(dim))) {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value most = arith::ConstantIndexOp::create(builder, loc, whole.getDimSize(dim) - sizes[dim]);
      from = arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, start, zero), most);
    }
    at.push_back(sizes[dim] == 1 ? from : arith::AddIOp::create(builder, loc, from, offset).getResult());
  }
  return at;
}

/// The indices; without the dimension of their numbers if each has only one, so that what computes them can be fused.
Value numbersOf(HloCall &call, const IndexDimensions &dims) {
  RankedTensorType type = call.operandType(1);
  if (dims.vectorDim >= type.getRank() || type.getDimSize(dims.vectorDim) != 1 || !type.hasStaticShape())
    return call.operands[1];
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dims.vectorDim);
  return reshaped(call.builder, call.loc, call.operands[1], RankedTensorType::get(shape, type.getElementType()));
}

/// For each number of an index, where it is in `indices` by the loops over the result.
SmallVector<AffineMap> numberMaps(Builder &builder, const IndexDimensions &dims, Value indices, int64_t rank) {
  SmallVector<AffineExpr> all;
  for (int64_t dim = 0; dim < rank; ++dim)
    all.push_back(builder.getAffineDimExpr(dim));
  SmallVector<AffineExpr> batch = batchOf(dims, ArrayRef(all));
  bool hasVector = int64_t(batch.size()) < cast<RankedTensorType>(indices.getType()).getRank();
  SmallVector<AffineMap> maps;
  for (size_t number = 0; number < dims.chosen.size(); ++number) {
    SmallVector<AffineExpr> exprs(batch);
    if (hasVector)
      exprs.insert(exprs.begin() + dims.vectorDim, builder.getAffineConstantExpr(number));
    maps.push_back(AffineMap::get(rank, 0, exprs, builder.getContext()));
  }
  return maps;
}

HloResults lowerGather(HloCall &call) {
  std::optional<IndexDimensions> dims = gatherDimensions(call.op);
  std::optional<SmallVector<int64_t>> sizes = sliceSizes(call);
  if (!call.isOnTensors() || call.operands.size() < 2 || !dims || !sizes ||
      !dims->fit(call.operandType(0), call.operandType(1), call.resultType()))
    return call.refuse("its dimensions do not fit its operands");
  RankedTensorType whole = call.operandType(0), type = call.resultType();
  if (int64_t(sizes->size()) != whole.getRank() || !whole.hasStaticShape() || !type.hasStaticShape())
    return call.refuse("its sizes are not known");
  for (auto [dim, size] : llvm::enumerate(*sizes))
    if (size < 0 || size > whole.getDimSize(dim))
      return call.refuse("its slices are larger than its operand");
  for (auto [dim, at] : llvm::zip_equal(dims->sliceDimsOfWhole(whole.getRank()), dims->sliceDims))
    if ((*sizes)[dim] != type.getDimSize(at))
      return call.refuse("its slices do not fit its result");
  Value empty = emptyTensor(call.builder, call.loc, type), indices = numbersOf(call, *dims);
  SmallVector<AffineMap> maps = numberMaps(call.builder, *dims, indices, type.getRank());
  SmallVector<Value> numbers(maps.size(), indices);
  maps.push_back(call.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  bool isUnsigned = isUnsignedElement(call.writtenOperand(1));
  auto generic = linalg::GenericOp::create(
      call.builder, call.loc, type, numbers, empty, maps, loops, [&](OpBuilder &inner, Location loc, ValueRange args) {
        SmallVector<Value> at;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          at.push_back(linalg::IndexOp::create(inner, loc, dim));
        Place place = placeOf(inner, loc, *dims, args.drop_back(), isUnsigned, whole.getRank(), at);
        SmallVector<Value> from = clampedPlace(inner, loc, place, *dims, whole, *sizes);
        Value element = tensor::ExtractOp::create(inner, loc, call.operands[0], from);
        linalg::YieldOp::create(inner, loc, element);
      });
  return SmallVector<Value>{generic.getResult(0)};
}

//===-- scatter -----------------------------------------------------------===//

std::optional<IndexDimensions> scatterDimensions(HloOp op) {
  HloText text = HloText::of(op.attribute({"scatter_dimension_numbers"}));
  if (text.empty())
    return std::nullopt;
  return IndexDimensions{text.integers("update_window_dims"),           text.integers("inserted_window_dims"),
                         text.integers("input_batching_dims"),          text.integers("scatter_indices_batching_dims"),
                         text.integers("scatter_dims_to_operand_dims"), text.integer("index_vector_dim").value_or(0)};
}

/// Places outside of the tensor are left out; the place itself is 0 then.
Value isWithin(OpBuilder &builder, Location loc, const Place &place, Value whole, SmallVectorImpl<Value> &at) {
  Value isInside = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [size, start, offset] : llvm::zip_equal(sizeValues(builder, loc, whole), place.start, place.offset)) {
    Value sum = arith::AddIOp::create(builder, loc, start, offset);
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, sum, size);
    isInside = arith::AndIOp::create(builder, loc, isInside, isHere);
    at.push_back(sum);
  }
  for (Value &coordinate : at)
    coordinate = arith::SelectOp::create(builder, loc, isInside, coordinate, zero);
  return isInside;
}

/// The numbers of the index of the update at `at`.
SmallVector<Value> extractNumbers(OpBuilder &builder, Location loc, const IndexDimensions &dims, Value indices,
                                  ArrayRef<Value> at) {
  SmallVector<Value> numbers, batch = batchOf(dims, at);
  bool hasVector = dims.vectorDim < cast<RankedTensorType>(indices.getType()).getRank();
  for (size_t number = 0; number < dims.chosen.size(); ++number) {
    SmallVector<Value> coordinates(batch);
    if (hasVector)
      coordinates.insert(coordinates.begin() + dims.vectorDim, arith::ConstantIndexOp::create(builder, loc, number));
    numbers.push_back(tensor::ExtractOp::create(builder, loc, indices, coordinates));
  }
  return numbers;
}

HloResults lowerScatter(HloCall &call) {
  std::optional<IndexDimensions> dims = scatterDimensions(call.op);
  if (!call.isOnTensors() || !dims || call.operands.size() % 2 != 1 || call.operands.size() < 3 ||
      call.op->getNumRegions() != 1 || !call.op->getRegion(0).hasOneBlock())
    return call.refuse("it has no body of one block, or its dimensions are not known");
  unsigned count = call.operands.size() / 2;
  ValueRange all(call.operands);
  ValueRange wholes = all.take_front(count), updates = all.drop_front(count + 1);
  Value indices = all[count];
  for (unsigned at = 0; at < count; ++at)
    if (!dims->fit(call.operandType(at), call.operandType(count), call.operandType(count + 1 + at)) ||
        call.operandType(at).getShape() != call.operandType(0).getShape() ||
        call.operandType(count + 1 + at).getShape() != call.operandType(count + 1).getShape())
      return call.refuse("its dimensions do not fit its operands");
  bool isUnsigned = isUnsignedElement(call.writtenOperand(count));
  if (call.operandType(0).hasStaticShape() && call.operandType(0).getNumElements() == 0)
    return SmallVector<Value>(wholes);
  std::string why;
  auto write = [&](OpBuilder &inner, Location loc, ValueRange loops, ValueRange carried) -> SmallVector<Value> {
    SmallVector<Value> point(loops), numbers = extractNumbers(inner, loc, *dims, indices, point);
    Place place = placeOf(inner, loc, *dims, numbers, isUnsigned, call.operandType(0).getRank(), point);
    SmallVector<Value> at, old, added;
    Value isInside = isWithin(inner, loc, place, carried[0], at);
    for (auto [whole, update] : llvm::zip_equal(carried, updates)) {
      old.push_back(tensor::ExtractOp::create(inner, loc, whole, at));
      added.push_back(tensor::ExtractOp::create(inner, loc, update, loops));
    }
    SmallVector<Value> args(old);
    llvm::append_range(args, added);
    auto changed = inlineScalarBody(
        inner, call.op->getRegion(0).front(), args, [&](Value value) { return call.converted(value); }, why);
    if (!changed || TypeRange(ValueRange(*changed)) != TypeRange(ValueRange(old))) {
      why = why.empty() ? "its body does not fit its elements" : why;
      return llvm::to_vector(carried);
    }
    SmallVector<Value> next;
    for (auto [whole, before, after] : llvm::zip_equal(carried, old, *changed)) {
      Value element = arith::SelectOp::create(inner, loc, isInside, after, before);
      next.push_back(tensor::InsertOp::create(inner, loc, element, whole, at));
    }
    return next;
  };
  SmallVector<Value> sizes = sizeValues(call.builder, call.loc, updates[0]);
  SmallVector<Value> results = scalarNest(call.builder, call.loc, sizes, wholes, write);
  if (!why.empty())
    return call.refuse(why);
  return results;
}

} // namespace

void addGatherLowerings(HloLowerings &lowerings) {
  lowerings["dynamic_gather"] = lowerGather;
  lowerings["gather"] = lowerGather;
}

void addScatterLowerings(HloLowerings &lowerings) { lowerings["scatter"] = lowerScatter; }

} // namespace fuselage
