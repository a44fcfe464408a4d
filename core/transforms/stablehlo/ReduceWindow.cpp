// reduce_window and select_and_scatter: linalg.generic ops whose reduction runs over the window.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/HloReducer.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Loops over places, then over the window; what each tensor is indexed by.
struct WindowSpace {
  AffineMap element, window, place;
  SmallVector<utils::IteratorType> loops;

  WindowSpace(MLIRContext *context, const Windows &windows) {
    int64_t rank = windows.sizes.size();
    SmallVector<AffineExpr> elements, offsets, places;
    for (int64_t dim = 0; dim < rank; ++dim) {
      AffineExpr at = getAffineDimExpr(dim, context), offset = getAffineDimExpr(rank + dim, context);
      elements.push_back(at * windows.strides[dim] + offset * windows.dilations[dim]);
      offsets.push_back(offset);
      places.push_back(at);
    }
    element = AffineMap::get(2 * rank, 0, elements, context);
    window = AffineMap::get(2 * rank, 0, offsets, context);
    place = AffineMap::get(2 * rank, 0, places, context);
    loops.assign(rank, utils::IteratorType::parallel);
    loops.append(rank, utils::IteratorType::reduction);
  }
};

SmallVector<int64_t> gaps(const Windows &windows) {
  SmallVector<int64_t> interior;
  for (int64_t dilation : windows.baseDilations)
    interior.push_back(dilation - 1);
  return interior;
}

/// Whether a window of this op has as many places as its result.
bool fits(const Windows &windows, RankedTensorType from, RankedTensorType to) {
  if (!from.hasStaticShape() || !to.hasStaticShape() || from.getRank() != to.getRank())
    return false;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (windows.placesIn(from.getDimSize(dim), dim) != to.getDimSize(dim))
      return false;
  return true;
}

HloResults lowerReduceWindow(HloCall &call) {
  std::optional<HloReducer> reducer = HloReducer::of(call);
  if (!reducer)
    return failure();
  auto sizes = call.op.integers({"window_dimensions"});
  auto from = cast<RankedTensorType>(reducer->inputs[0].getType());
  std::optional<Windows> windows =
      sizes && int64_t(sizes->size()) == from.getRank() ? Windows::of(call.op, *sizes) : std::nullopt;
  if (!windows || !fits(*windows, from, call.resultType()))
    return call.refuse("its window does not fit its inputs");
  SmallVector<Value> inputs, outputs;
  for (unsigned at = 0; at < reducer->size(); ++at) {
    if (call.resultType(at).getElementType() != reducer->accumulator(at) ||
        cast<RankedTensorType>(reducer->inputs[at].getType()).getElementType() != reducer->accumulator(at))
      return call.refuse("its results have other types than its inputs");
    inputs.push_back(
        padded(call, reducer->inputs[at], reducer->initials[at], windows->low, windows->high, gaps(*windows)));
    outputs.push_back(filledTensor(call.builder, call.loc, call.resultType(at), reducer->initials[at]));
  }
  WindowSpace space(call.builder.getContext(), *windows);
  SmallVector<AffineMap> maps(reducer->size(), space.element);
  maps.push_back(space.window);
  maps.append(reducer->size(), space.place);
  // A tensor that nothing reads tells the sizes of the window, as linalg's pooling ops have it.
  inputs.push_back(emptyTensor(call.builder, call.loc, RankedTensorType::get(windows->sizes, reducer->accumulator(0))));
  std::string why;
  unsigned count = reducer->size();
  auto generic = linalg::GenericOp::create(
      call.builder, call.loc, ValueRange(outputs).getTypes(), inputs, outputs, maps, space.loops,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        auto results = reducer->combine(inner, loc, args.drop_front(count + 1), args.take_front(count), why);
        linalg::YieldOp::create(inner, loc, results ? ValueRange(*results) : args.drop_front(count + 1));
      });
  if (!why.empty())
    return call.refuse(why);
  return SmallVector<Value>(generic.getResults());
}

//===-- select_and_scatter ------------------------------------------------===//

/// Builds the two ops that it becomes: which element each window selects, and for each element what the windows that
/// selected it bring.
class SelectAndScatter {
public:
  SelectAndScatter(HloCall &call, const Windows &windows) : call_(call), windows_(windows), builder_(call.builder) {}

  HloResults lower() {
    Value selected = selectedElements();
    Value result = why_.empty() ? scattered(selected) : Value();
    if (!why_.empty())
      return call_.refuse(why_);
    return SmallVector<Value>{result};
  }

private:
  RankedTensorType operandType() const { return call_.operandType(0); }
  RankedTensorType sourceType() const { return call_.operandType(1); }
  int64_t rank() const { return operandType().getRank(); }
  auto outer() const {
    return [this](Value value) { return call_.converted(value); };
  }

  /// Which element of a list an index is, without padding: an i64 of the operand's element in order, -1 if the window
  /// has none.
  Value selectedElements() {
    Location loc = call_.loc;
    Type number = builder_.getI64Type(), element = operandType().getElementType();
    auto placesType = RankedTensorType::get(sourceType().getShape(), number);
    auto valuesType = RankedTensorType::get(sourceType().getShape(), element);
    Value none = arith::ConstantOp::create(builder_, loc, builder_.getI64IntegerAttr(-1));
    SmallVector<Value> outputs{filledTensor(builder_, loc, valuesType, zeroOf(builder_, loc, element)),
                               filledTensor(builder_, loc, placesType, none)};
    WindowSpace space(builder_.getContext(), windows_);
    Value window = emptyTensor(builder_, loc, RankedTensorType::get(windows_.sizes, element));
    SmallVector<AffineMap> maps{space.window, space.place, space.place};
    auto generic = linalg::GenericOp::create(
        builder_, loc, ValueRange(outputs).getTypes(), window, outputs, maps, space.loops,
        [&](OpBuilder &inner, Location at, ValueRange args) {
          auto [isInside, place, order] = elementOf(inner, at);
          Value candidate = tensor::ExtractOp::create(inner, at, call_.operands[0], place);
          Value isFirst = arith::CmpIOp::create(inner, at, arith::CmpIPredicate::eq, args[2],
                                                arith::ConstantOp::create(inner, at, inner.getI64IntegerAttr(-1)));
          auto keeps = inlineScalarBody(inner, call_.op->getRegion(0).front(), {args[1], candidate}, outer(), why_);
          if (!keeps || keeps->size() != 1 || !keeps->front().getType().isInteger(1)) {
            if (why_.empty())
              why_ = "its body does not fit";
            linalg::YieldOp::create(inner, at, args.drop_front());
            return;
          }
          Value yes = arith::ConstantOp::create(inner, at, inner.getBoolAttr(true));
          Value loses = arith::XOrIOp::create(inner, at, keeps->front(), yes);
          Value wins = arith::AndIOp::create(inner, at, isInside, arith::OrIOp::create(inner, at, isFirst, loses));
          Value best = arith::SelectOp::create(inner, at, wins, candidate, args[1]);
          Value which = arith::SelectOp::create(inner, at, wins, order, args[2]);
          linalg::YieldOp::create(inner, at, ValueRange{best, which});
        });
    return generic.getResult(1);
  }

  struct Element {
    Value isInside;
    SmallVector<Value> place;
    Value order;
  };

  Value constant(OpBuilder &builder, Location loc, int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

  /// The element that a window at the first `rank` loops has at the others; place 0 if it is padding.
  Element elementOf(OpBuilder &builder, Location loc) {
    Element element;
    element.isInside = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (int64_t dim = 0; dim < rank(); ++dim) {
      Value window = linalg::IndexOp::create(builder, loc, dim);
      Value offset = linalg::IndexOp::create(builder, loc, rank() + dim);
      Value stride = constant(builder, loc, windows_.strides[dim]), low = constant(builder, loc, windows_.low[dim]);
      Value start = arith::SubIOp::create(builder, loc, arith::MulIOp::create(builder, loc, window, stride), low);
      Value at = arith::AddIOp::create(builder, loc, start, offset);
      Value size = constant(builder, loc, operandType().getDimSize(dim));
      Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, size);
      element.isInside = arith::AndIOp::create(builder, loc, element.isInside, isHere);
      element.place.push_back(arith::SelectOp::create(builder, loc, isHere, at, constant(builder, loc, 0)));
    }
    element.order = orderOf(builder, loc, element.place);
    return element;
  }

  /// The element's number in the operand.
  Value orderOf(OpBuilder &builder, Location loc, ValueRange place) {
    Value order = constant(builder, loc, 0);
    for (auto [dim, at] : llvm::enumerate(place)) {
      Value size = constant(builder, loc, operandType().getDimSize(dim));
      order = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, order, size), at);
    }
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), order);
  }

  /// For each element and each offset in a window: the window that has the element there.
  Value scattered(Value selected) {
    Location loc = call_.loc;
    RankedTensorType type = call_.resultType();
    Value initial = scalarOf(builder_, loc, call_.operands[2]);
    Value output = filledTensor(builder_, loc, type, initial);
    WindowSpace space(builder_.getContext(), windows_);
    Value window = emptyTensor(builder_, loc, RankedTensorType::get(windows_.sizes, type.getElementType()));
    SmallVector<AffineMap> maps{space.window, space.place};
    // A window over the elements backwards meets windows in order: the last offset is the first window.
    auto generic = linalg::GenericOp::create(
        builder_, loc, type, window, output, maps, space.loops, [&](OpBuilder &inner, Location at, ValueRange args) {
          SmallVector<Value> element, place;
          Value isWindow = arith::ConstantOp::create(inner, at, inner.getBoolAttr(true));
          for (int64_t dim = 0; dim < rank(); ++dim)
            isWindow = arith::AndIOp::create(inner, at, isWindow, windowAt(inner, at, dim, element, place));
          Value which = tensor::ExtractOp::create(inner, at, selected, place);
          Value isSelected =
              arith::CmpIOp::create(inner, at, arith::CmpIPredicate::eq, which, orderOf(inner, at, element));
          Value counts = arith::AndIOp::create(inner, at, isWindow, isSelected);
          Value source = tensor::ExtractOp::create(inner, at, call_.operands[1], place);
          auto sum = inlineScalarBody(inner, call_.op->getRegion(1).front(), {args[1], source}, outer(), why_);
          bool fits = sum && sum->size() == 1 && sum->front().getType() == args[1].getType();
          if (!fits && why_.empty())
            why_ = "its body does not fit";
          Value next = fits ? arith::SelectOp::create(inner, at, counts, sum->front(), args[1]) : args[1];
          linalg::YieldOp::create(inner, at, next);
        });
    return generic.getResult(0);
  }

  /// Adds the coordinate of an element and of the window that has it at an offset; returns whether there is one.
  Value windowAt(OpBuilder &builder, Location loc, int64_t dim, SmallVectorImpl<Value> &element,
                 SmallVectorImpl<Value> &place) {
    Value at = linalg::IndexOp::create(builder, loc, dim), step = linalg::IndexOp::create(builder, loc, rank() + dim);
    element.push_back(at);
    Value last = constant(builder, loc, windows_.sizes[dim] - 1);
    Value offset = arith::SubIOp::create(builder, loc, last, step);
    Value low = constant(builder, loc, windows_.low[dim]), stride = constant(builder, loc, windows_.strides[dim]);
    Value start = arith::SubIOp::create(builder, loc, arith::AddIOp::create(builder, loc, at, low), offset);
    Value zero = constant(builder, loc, 0);
    Value isNotBefore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, start, zero);
    Value rest = arith::RemSIOp::create(builder, loc, start, stride);
    Value isStart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, zero);
    Value window = arith::DivSIOp::create(builder, loc, start, stride);
    Value count = constant(builder, loc, sourceType().getDimSize(dim));
    Value isNotBehind = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, window, count);
    Value exists =
        arith::AndIOp::create(builder, loc, isNotBefore, arith::AndIOp::create(builder, loc, isStart, isNotBehind));
    place.push_back(arith::SelectOp::create(builder, loc, exists, window, zero));
    return exists;
  }

  HloCall &call_;
  const Windows &windows_;
  OpBuilder &builder_;
  std::string why_;
};

HloResults lowerSelectAndScatter(HloCall &call) {
  bool hasBodies = call.op->getNumRegions() == 2 && call.op->getRegion(0).hasOneBlock() &&
                   call.op->getRegion(1).hasOneBlock() && call.operands.size() == 3;
  if (!call.isOnTensors() || !hasBodies)
    return call.refuse("it has no bodies of one block each");
  SmallVector<int64_t> sizes =
      call.op.integers({"window_dimensions"}).value_or(SmallVector<int64_t>(call.operandType(0).getRank(), 1));
  std::optional<Windows> windows =
      int64_t(sizes.size()) == call.operandType(0).getRank() ? Windows::of(call.op, sizes) : std::nullopt;
  if (!windows || !fits(*windows, call.operandType(0), call.operandType(1)) ||
      call.resultType() != call.operandType(0) || call.operandType(1).getNumElements() == 0)
    return call.refuse("its window does not fit its operands");
  return SelectAndScatter(call, *windows).lower();
}

} // namespace

void addWindowLowerings(HloLowerings &lowerings) {
  lowerings["reduce_window"] = lowerReduceWindow;
  lowerings["select_and_scatter"] = lowerSelectAndScatter;
}

} // namespace fuselage
