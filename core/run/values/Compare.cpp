#include "core/run/values/Compare.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"
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

namespace {

/// Gathers the elements of one comparison.
class Gatherer {
public:
  explicit Gatherer(Comparison &result) : result_(result) {}

  void addFloats(int64_t index, double actual, double expected) {
    bool finite = std::isfinite(actual) && std::isfinite(expected);
    result_.nonfinite.actual += !std::isfinite(actual);
    result_.nonfinite.expected += !std::isfinite(expected);
    nan_ += std::isnan(actual) || std::isnan(expected);
    if (!finite) {
      if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
        return;
      ++result_.nonfinite.differ;
      add(index, infinity, infinity, infinity);
      return;
    }
    double difference = std::abs(actual - expected), size = std::abs(expected);
    const Tolerance &tolerance = result_.tolerance;
    double allowed = tolerance.absolute + tolerance.relative * size;
    result_.sized += size > 0;
    result_.loose += size > 0 && allowed >= size;
    if (difference == 0)
      return;
    bool counts = size > 0 && size >= 0.99 * tolerance.typical;
    add(index, difference, counts ? difference / size : 0, allowed > 0 ? difference / allowed : infinity);
  }

  void addDifferentIntegers(int64_t index, double difference, double size) {
    add(index, difference, size > 0 ? difference / size : 0, infinity);
    if (difference > worstDifference_) {
      worstDifference_ = difference;
      result_.worst = index;
    }
  }

  int64_t nanElements() const { return nan_; }

private:
  /// `excess`: the error by what is allowed.
  void add(int64_t index, double difference, double relative, double excess) {
    result_.maxAbsError = std::max(result_.maxAbsError, difference);
    result_.maxRelError = std::max(result_.maxRelError, relative);
    result_.wrong += excess > 1;
    if (excess > worstExcess_) {
      worstExcess_ = excess;
      result_.worst = index;
    }
  }

  Comparison &result_;
  int64_t nan_ = 0;
  double worstExcess_ = 0, worstDifference_ = 0;
};

} // namespace

/// The low bits of an integer element that count.
static llvm::APInt integerOf(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  unsigned bytes = hostElementBytes(element), bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  uint64_t words[2] = {0, 0};
  std::memcpy(words, tensor.data() + index * bytes, bytes);
  return llvm::APInt(128, words).trunc(bits);
}

/// Integers as integers: a double holds those of up to 53 bits only.
static void gatherIntegers(const HostTensor &actual, const HostTensor &expected, Gatherer &gatherer) {
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

/// Whether the tolerance lets so many elements be 0, or twice as large, that agreeing shows
/// nothing.
static bool showsNothing(const Comparison &result) { return result.loose * 4 > result.sized; }

/// The verdict, with the sentence that goes with it.
static void judge(Comparison &result, bool isFloat, int64_t nanElements, const ErrorBound &bound) {
  const NonfiniteCounts &nonfinite = result.nonfinite;
  auto percent = [&](int64_t count) { return llvm::formatv("{0:f1} %", 100.0 * count / result.elements).str(); };
  if (result.wrong > 0) {
    result.verdict = CheckVerdict::Wrong;
    result.why = llvm::formatv("{0} of {1} elements ({2}) ", result.wrong, result.elements, percent(result.wrong));
    result.why += isFloat ? llvm::formatv("are off by more than {0:e1} + {1:e1} * |expected|",
                                          result.tolerance.absolute, result.tolerance.relative)
                                .str()
                          : "differ";
    if (nonfinite.differ > 0)
      result.why += llvm::formatv("; {0} of them are NaN or infinite on one side only", nonfinite.differ);
    return;
  }
  // Infinities in the same places are equal, but show nothing where there is hardly anything else.
  int64_t nonfiniteElements = std::max(nonfinite.actual, nonfinite.expected);
  bool isAllInfinite = !bound.infinitiesIntended && (result.elements - nonfiniteElements) * 100 < result.elements;
  if (nanElements * 100 > result.elements || isAllInfinite) {
    result.verdict = CheckVerdict::NotComparable;
    result.why = llvm::formatv("{0} of {1} elements ({2}) are NaN or infinite, here and in the reference, so that they "
                               "show nothing; give other inputs",
                               nonfiniteElements, result.elements, percent(nonfiniteElements));
    return;
  }
  if (showsNothing(result)) {
    result.verdict = CheckVerdict::NotComparable;
    result.why = llvm::formatv(
        "{0} of {1} elements ({2}) could be 0 or twice as large and still be within their rounding "
        "errors, {3:e1} + {4:e1} * "
        "|expected|, so that they show nothing; give other inputs, or types with more digits",
        result.loose, result.elements, percent(result.loose), result.tolerance.absolute, result.tolerance.relative);
    return;
  }
  result.verdict = CheckVerdict::Ok;
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
  Gatherer gatherer(result);
  bool isFloat = llvm::isa<FloatType>(element);
  if (!isFloat)
    gatherIntegers(actual, expected, gatherer);
  else if (element.isF32())
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(actual.as<float>(), expected.as<float>())))
      gatherer.addFloats(i, std::get<0>(pair), std::get<1>(pair));
  else
    for (int64_t i = 0; i < result.elements; ++i)
      gatherer.addFloats(i, actual.floatAt(i), expected.floatAt(i));
  judge(result, isFloat, gatherer.nanElements(), bound);
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

const Comparison &worseOf(const Comparison &a, const Comparison &b) {
  if (a.verdict != b.verdict)
    return a.verdict > b.verdict ? a : b;
  return a.maxAbsError >= b.maxAbsError ? a : b;
}

} // namespace fuselage
