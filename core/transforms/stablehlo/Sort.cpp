// sort with a comparator, and top_k: rounds that merge sorted runs of twice the length each.
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Whether the left elements come before the right ones.
using Precedes = llvm::function_ref<Value(OpBuilder &, Location, ValueRange left, ValueRange right)>;

/// Sorts along one dimension, equal elements in their order. An element's place in two merged runs is its place in its
/// own, and the number of elements of the other that come before it, which a binary search finds.
class MergeSort {
public:
  MergeSort(HloCall &call, int64_t dimension, Precedes precedes)
      : builder_(call.builder), loc_(call.loc), dimension_(dimension), precedes_(precedes) {}

  SmallVector<Value> run(ValueRange tensors) {
    sizes_ = sizeValues(builder_, loc_, tensors[0]);
    length_ = sizes_[dimension_];
    // Runs of one element are sorted; so many rounds join n of them.
    Type number = builder_.getI64Type();
    Value last = arith::SubIOp::create(builder_, loc_, length_, constant(builder_, 1));
    last = arith::MaxSIOp::create(builder_, loc_, last, constant(builder_, 0));
    Value zeros =
        math::CountLeadingZerosOp::create(builder_, loc_, arith::IndexCastOp::create(builder_, loc_, number, last));
    Value rounds = arith::SubIOp::create(builder_, loc_, constant(builder_, 64),
                                         arith::IndexCastOp::create(builder_, loc_, builder_.getIndexType(), zeros));
    return scalarNest(builder_, loc_, rounds, tensors,
                      [&](OpBuilder &inner, Location, ValueRange loops, ValueRange carried) {
                        return merge(inner, loops[0], carried);
                      });
  }

private:
  Value constant(OpBuilder &builder, int64_t number) { return arith::ConstantIndexOp::create(builder, loc_, number); }

  template <typename Op> Value make(OpBuilder &builder, Value left, Value right) {
    return Op::create(builder, loc_, left, right);
  }

  Value less(OpBuilder &builder, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc_, arith::CmpIPredicate::slt, left, right);
  }

  Value choose(OpBuilder &builder, Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc_, condition, yes, no);
  }

  SmallVector<Value> at(ValueRange point, Value along) {
    SmallVector<Value> place(point);
    place[dimension_] = along;
    return place;
  }

  SmallVector<Value> extract(OpBuilder &builder, ValueRange tensors, ValueRange place) {
    SmallVector<Value> elements;
    for (Value tensor : tensors)
      elements.push_back(tensor::ExtractOp::create(builder, loc_, tensor, place));
    return elements;
  }

  SmallVector<Value> merge(OpBuilder &outer, Value round, ValueRange sorted) {
    Value width = make<arith::ShLIOp>(outer, constant(outer, 1), round);
    SmallVector<Value> from(sorted), empties;
    for (Value tensor : sorted)
      empties.push_back(emptyLike(outer, loc_, cast<RankedTensorType>(tensor.getType()), tensor));
    return scalarNest(outer, loc_, sizes_, empties,
                      [&](OpBuilder &inner, Location, ValueRange point, ValueRange carried) {
                        SmallVector<Value> mine = extract(inner, from, point);
                        SmallVector<Value> to = at(point, placeOf(inner, round, width, from, point, mine));
                        SmallVector<Value> next;
                        for (auto [element, tensor] : llvm::zip_equal(mine, carried))
                          next.push_back(tensor::InsertOp::create(inner, loc_, element, tensor, to));
                        return next;
                      });
  }

  Value placeOf(OpBuilder &inner, Value round, Value width, ValueRange from, ValueRange point, ValueRange mine) {
    Value here = point[dimension_], two = make<arith::AddIOp>(inner, width, width);
    Value block = make<arith::MulIOp>(inner, make<arith::DivUIOp>(inner, here, two), two);
    Value middle = make<arith::MinSIOp>(inner, make<arith::AddIOp>(inner, block, width), length_);
    Value end = make<arith::MinSIOp>(inner, make<arith::AddIOp>(inner, block, two), length_);
    Value isFirst = less(inner, here, middle);
    Value low = choose(inner, isFirst, middle, block), high = choose(inner, isFirst, end, middle);
    // 2^round elements take round + 1 steps.
    Value steps = make<arith::AddIOp>(inner, round, constant(inner, 1));
    Value found = search(inner, steps, low, high, isFirst, from, point, mine);
    Value own = make<arith::SubIOp>(inner, here, choose(inner, isFirst, block, middle));
    Value others = make<arith::SubIOp>(inner, found, low);
    return make<arith::AddIOp>(inner, block, make<arith::AddIOp>(inner, own, others));
  }

  /// The first element of the other run that does not come before `mine`.
  Value search(OpBuilder &outer, Value steps, Value low, Value high, Value isFirst, ValueRange from, ValueRange point,
               ValueRange mine) {
    Value zero = constant(outer, 0), one = constant(outer, 1);
    auto loop = scf::ForOp::create(
        outer, loc_, zero, steps, one, ValueRange{low, high},
        [&](OpBuilder &inner, Location, Value, ValueRange bounds) {
          Value isOpen = less(inner, bounds[0], bounds[1]);
          Value middle =
              make<arith::DivUIOp>(inner, make<arith::AddIOp>(inner, bounds[0], bounds[1]), constant(inner, 2));
          Value safe = choose(inner, isOpen, middle, constant(inner, 0));
          SmallVector<Value> other = extract(inner, from, at(point, safe));
          // Of equal elements the first run's come first.
          SmallVector<Value> left = selectAll(inner, loc_, isFirst, other, mine);
          SmallVector<Value> right = selectAll(inner, loc_, isFirst, mine, other);
          Value precedes = precedes_(inner, loc_, left, right);
          Value isBefore = arith::CmpIOp::create(inner, loc_, arith::CmpIPredicate::eq, precedes, isFirst);
          Value raises = make<arith::AndIOp>(inner, isOpen, isBefore);
          Value nextLow = choose(inner, raises, make<arith::AddIOp>(inner, middle, constant(inner, 1)), bounds[0]);
          Value lowers = make<arith::AndIOp>(inner, isOpen, make<arith::XOrIOp>(inner, isBefore, isOpen));
          Value nextHigh = choose(inner, lowers, middle, bounds[1]);
          scf::YieldOp::create(inner, loc_, ValueRange{nextLow, nextHigh});
        });
    return loop.getResult(0);
  }

  OpBuilder &builder_;
  Location loc_;
  int64_t dimension_;
  Precedes precedes_;
  SmallVector<Value> sizes_;
  Value length_;
};

HloResults lowerSort(HloCall &call) {
  if (!call.isOnTensors() || call.operands.empty() || call.op->getNumRegions() != 1 ||
      !call.op->getRegion(0).hasOneBlock())
    return call.refuse("it has no comparator of one block");
  int64_t rank = call.operandType(0).getRank(), dimension = call.op.integer({"dimension"}).value_or(-1);
  dimension += dimension < 0 ? rank : 0;
  if (rank == 0 || (call.operandType(0).hasStaticShape() && call.operandType(0).getNumElements() == 0))
    return call.operands;
  bool fits = dimension >= 0 && dimension < rank;
  for (unsigned at = 0; at < call.operands.size(); ++at)
    fits &= call.operandType(at).getShape() == call.operandType(0).getShape();
  if (!fits)
    return call.refuse("its dimension is not one of its operands");
  std::string why;
  auto precedes = [&](OpBuilder &inner, Location loc, ValueRange left, ValueRange right) -> Value {
    SmallVector<Value> args;
    for (auto [first, second] : llvm::zip_equal(left, right))
      args.append({first, second});
    auto result = inlineScalarBody(
        inner, call.op->getRegion(0).front(), args, [&](Value value) { return call.converted(value); }, why);
    if (result && result->size() == 1 && result->front().getType().isInteger(1))
      return result->front();
    why = why.empty() ? "its comparator does not give one boolean" : why;
    return arith::ConstantOp::create(inner, loc, inner.getBoolAttr(false));
  };
  SmallVector<Value> results = MergeSort(call, dimension, precedes).run(call.operands);
  if (!why.empty())
    return call.refuse(why);
  return results;
}

/// The total order of floats, or that of integers: larger elements first.
Value isLarger(HloCall &call, OpBuilder &builder, Location loc, Value left, Value right) {
  Type written = call.writtenOperand(0);
  if (!isa<FloatType>(left.getType()))
    return arith::CmpIOp::create(
        builder, loc, isUnsignedElement(written) ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, left, right);
  auto key = [&](Value number) { return totalOrderKey(builder, loc, number); };
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, key(left), key(right));
}

/// The k largest elements of each row, the largest first, and where they were: the first k of all, sorted.
HloResults lowerTopK(HloCall &call) {
  auto k = call.op.integer({"k"});
  if (!call.isOnTensors() || !k || call.operands.size() != 1 || call.op->getNumResults() != 2 ||
      call.operandType(0).getRank() < 1 || !call.operandType(0).hasStaticShape() ||
      !call.writtenOperand(0).isIntOrFloat())
    return call.refuse("it is not on a tensor of known sizes");
  int64_t dimension = call.operandType(0).getRank() - 1;
  if (*k < 0 || *k > call.operandType(0).getDimSize(dimension) || call.resultType(0).getDimSize(dimension) != *k)
    return call.refuse("k is not within its operand");
  Type element = call.resultType(1).getElementType();
  auto placesType = RankedTensorType::get(call.operandType(0).getShape(), element);
  Value places = iota(call.builder, call.loc, placesType, dimension);
  bool takesLargest = call.op.flag({"largest"}, true);
  auto precedes = [&](OpBuilder &inner, Location loc, ValueRange left, ValueRange right) {
    return takesLargest ? isLarger(call, inner, loc, left[0], right[0]) : isLarger(call, inner, loc, right[0], left[0]);
  };
  SmallVector<Value> sorted = MergeSort(call, dimension, precedes).run({call.operands[0], places});
  int64_t rank = dimension + 1;
  SmallVector<OpFoldResult> starts(rank, call.builder.getIndexAttr(0)), steps(rank, call.builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : call.resultType(0).getShape())
    sizes.push_back(call.builder.getIndexAttr(size));
  SmallVector<Value> results;
  for (Value tensor : sorted)
    results.push_back(tensor::ExtractSliceOp::create(call.builder, call.loc, tensor, starts, sizes, steps));
  return results;
}

} // namespace

void addSortLowerings(HloLowerings &lowerings) {
  lowerings["sort"] = lowerSort;
  lowerings["top_k"] = lowerTopK;
  lowerings["topk"] = lowerTopK; // of MHLO
}

} // namespace fuselage
