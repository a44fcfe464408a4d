#include "core/run/values/Compare.h"
#include "llvm/ADT/APInt.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace fuselage {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Calls `visit(i, value)` for all elements of a tensor of floats.
template <typename Visit> static void forEachFloat(const HostTensor &tensor, Visit visit) {
  int64_t count = tensor.elementCount();
  if (tensor.elementType().isF32()) {
    auto values = tensor.as<float>();
    for (int64_t i = 0; i < count; ++i)
      visit(i, double(values[i]));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    visit(i, tensor.floatAt(i));
}

/// The root of the mean square of the finite elements.
static double typicalSize(const HostTensor &tensor) {
  double largest = 0;
  forEachFloat(tensor, [&](int64_t, double value) {
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  });
  if (largest == 0)
    return 0;
  double squares = 0; // of the values by the largest, which cannot overflow
  int64_t count = 0;
  forEachFloat(tensor, [&](int64_t, double value) {
    if (!std::isfinite(value))
      return;
    squares += (value / largest) * (value / largest);
    ++count;
  });
  return largest * std::sqrt(squares / count);
}

Tolerance toleranceFor(const HostTensor &expected, const ErrorBound &bound) {
  if (!llvm::isa<FloatType>(expected.elementType()))
    return {};
  // A few elements tell little about the size of what was added up: they may cancel by chance.
  constexpr int64_t few = 16;
  double typical = typicalSize(expected), factor = expected.elementCount() < few ? 4 : 1;
  if (bound.moved == 0)
    return {.absolute = bound.ofTypical * std::max(typical, bound.terms) * factor + bound.smallest,
            .relative = bound.relative,
            .typical = typical};
  // Two computations that round in different places are nearer to each other than that, most of the
  // time, and no element is further off than a few times as much.
  constexpr double deviations = 8;
  double moved = deviations * bound.moved * factor;
  return {.absolute = moved + bound.smallest,
          .relative = typical > 0 ? std::min(bound.relative, moved / typical) : bound.relative,
          .typical = typical};
}

/// The low bits of an integer element that count.
static llvm::APInt integerOf(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  unsigned bytes = hostElementBytes(element), bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  uint64_t words[2] = {0, 0};
  std::memcpy(words, tensor.data() + index * bytes, bytes);
  return llvm::APInt(128, words).trunc(bits);
}

/// Integers as integers: a double holds those of up to 53 bits only.
static void gatherIntegers(const HostTensor &actual, const HostTensor &expected, ComparisonGatherer &gatherer) {
  Type element = expected.elementType();
  unsigned bytes = hostElementBytes(element);
  bool isSigned = !element.isInteger(1) && !element.isUnsignedInteger();
  for (int64_t i = 0; i < expected.elementCount(); ++i) {
    if (std::memcmp(actual.data() + i * bytes, expected.data() + i * bytes, bytes) == 0)
      continue;
    llvm::APInt a = integerOf(actual, i), b = integerOf(expected, i);
    if (a == b)
      continue;
    unsigned wide = a.getBitWidth() + 1;
    llvm::APInt difference = isSigned ? a.sext(wide) - b.sext(wide) : a.zext(wide) - b.zext(wide);
    gatherer.addDifferentIntegers(i, difference.abs().roundToDouble(false), std::abs(b.roundToDouble(isSigned)));
  }
}

Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const ErrorBound &bound) {
  Comparison result;
  if (actual.type() != expected.type()) {
    result.maxAbsError = result.maxRelError = infinity;
    result.verdict = CheckVerdict::Wrong;
    result.why = "it is a " + textOf(actual.type()) + " instead of a " + textOf(expected.type());
    return result;
  }
  Type element = expected.elementType();
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    Type flat = RankedTensorType::get({2 * expected.elementCount()}, complex.getElementType());
    result = compareTensors(actual.reinterpret(flat), expected.reinterpret(flat), bound);
    if (result.worst >= 0)
      result.worst /= 2; // parts are counted, elements are pointed at
    return result;
  }
  result.elements = expected.elementCount();
  result.tolerance = toleranceFor(expected, bound);
  ComparisonGatherer gatherer(result);
  bool isFloat = llvm::isa<FloatType>(element);
  if (!isFloat)
    gatherIntegers(actual, expected, gatherer);
  else if (element.isF32())
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(actual.as<float>(), expected.as<float>())))
      gatherer.addFloats(i, std::get<0>(pair), std::get<1>(pair));
  else
    for (int64_t i = 0; i < result.elements; ++i)
      gatherer.addFloats(i, actual.floatAt(i), expected.floatAt(i));
  gatherer.judge(isFloat, bound.intended);
  return result;
}

/// Of two values for each element, the one that is nearer to what came out.
static HostTensor nearest(const HostTensor &actual, const HostTensor &expected, const HostTensor &other) {
  if (actual.type() != expected.type() || other.type() != expected.type() ||
      !llvm::isa<FloatType>(expected.elementType()))
    return expected;
  auto copy = HostTensor::create(expected.type());
  if (!copy) {
    llvm::consumeError(copy.takeError());
    return expected;
  }
  std::memcpy(copy->data(), expected.data(), expected.byteCount());
  bool isOther = false;
  unsigned bytes = hostElementBytes(expected.elementType());
  for (int64_t i = 0; i < expected.elementCount(); ++i) {
    double is = actual.floatAt(i), one = expected.floatAt(i), two = other.floatAt(i);
    bool isNearer = is == two || (std::isnan(is) && std::isnan(two)) || std::abs(is - two) < std::abs(is - one);
    if (!isNearer || is == one)
      continue;
    std::memcpy(copy->data() + i * bytes, other.data() + i * bytes, bytes);
    isOther = true;
  }
  return isOther ? std::move(*copy) : expected;
}

std::vector<Comparison> compareResults(ArrayRef<HostTensor> actual, ArrayRef<HostTensor> expected,
                                       std::vector<ErrorBound> bounds,
                                       llvm::function_ref<OtherReference()> computeOtherwise) {
  std::vector<Comparison> comparisons;
  for (auto [is, was, bound] : llvm::zip_equal(actual, expected, bounds))
    comparisons.push_back(compareTensors(is, was, bound));
  auto isLoose = [](const Comparison &each) {
    return each.verdict == CheckVerdict::NotComparable && showsNothing(each);
  };
  if (llvm::none_of(comparisons,
                    [&](const Comparison &each) { return each.verdict == CheckVerdict::Wrong || isLoose(each); }))
    return comparisons;
  OtherReference other = computeOtherwise();
  for (auto [index, each] : llvm::enumerate(comparisons)) {
    ErrorBound &bound = bounds[index];
    TermSizes size = index < other.sizesOfTerms.size() ? other.sizesOfTerms[index] : TermSizes();
    HostTensor reference = expected[index];
    if (each.verdict == CheckVerdict::Wrong) {
      if (index < other.flushed.size())
        reference = nearest(actual[index], reference, other.flushed[index]);
      bound.terms = size.terms;
      each = compareTensors(actual[index], reference, bound);
    }
    if (isLoose(each) && size.moved > 0) {
      bound.moved = size.moved;
      Comparison measured = compareTensors(actual[index], reference, bound);
      if (measured.ok()) // what is beyond that may still be rounding
        each = measured;
    }
    if (each.verdict == CheckVerdict::NotComparable && reference.data() != expected[index].data())
      each.why += " (where denormal numbers are taken for zero, as devices may)";
  }
  return comparisons;
}

} // namespace fuselage
