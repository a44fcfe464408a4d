#include "core/run/values/ComparisonGatherer.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace fuselage {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void ComparisonGatherer::addFloats(int64_t index, double actual, double expected) {
  bool finite = std::isfinite(actual) && std::isfinite(expected);
  result_.nonfinite.actual += !std::isfinite(actual);
  result_.nonfinite.expected += !std::isfinite(expected);
  nan_ += std::isnan(actual) || std::isnan(expected);
  if (!finite) {
    if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
      return;
    ++result_.nonfinite.differ;
    add(index, kInfinite, kInfinite, kInfinite);
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
  add(index, difference, counts ? difference / size : 0, allowed > 0 ? difference / allowed : kInfinite);
}

void ComparisonGatherer::addDifferentIntegers(int64_t index, double difference, double size) {
  add(index, difference, size > 0 ? difference / size : 0, kInfinite);
  if (difference > worstDifference_) {
    worstDifference_ = difference;
    result_.worst = index;
  }
}

void ComparisonGatherer::add(int64_t index, double difference, double relative, double excess) {
  result_.maxAbsError = std::max(result_.maxAbsError, difference);
  result_.maxRelError = std::max(result_.maxRelError, relative);
  result_.wrong += excess > 1;
  if (excess > worstExcess_) {
    worstExcess_ = excess;
    result_.worst = index;
  }
}

bool showsNothing(const Comparison &result) { return result.loose * 4 > result.sized; }

template <class... Values> static std::string formatted(const char *format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

void ComparisonGatherer::judge(bool isFloat, IntendedValues intended) {
  Comparison &result = result_;
  const NonfiniteCounts &nonfinite = result.nonfinite;
  auto share = [&](int64_t count) {
    return formatted("%lld of %lld elements (%.1f %%)", static_cast<long long>(count),
                     static_cast<long long>(result.elements), 100.0 * double(count) / double(result.elements));
  };
  if (result.wrong > 0) {
    result.verdict = CheckVerdict::Wrong;
    result.why = share(result.wrong) + (isFloat ? formatted(" are off by more than %.1e + %.1e * |expected|",
                                                            result.tolerance.absolute, result.tolerance.relative)
                                                : " differ");
    if (nonfinite.differ > 0)
      result.why += "; " + std::to_string(nonfinite.differ) + " of them are NaN or infinite on one side only";
    return;
  }
  // Infinities in the same places are equal, but show nothing where there is hardly anything else.
  int64_t nonfiniteElements = std::max(nonfinite.actual, nonfinite.expected);
  bool isAllInfinite = !intended.infinities && (result.elements - nonfiniteElements) * 100 < result.elements;
  if ((!intended.nans && nan_ * 100 > result.elements) || isAllInfinite) {
    result.verdict = CheckVerdict::NotComparable;
    result.why = share(nonfiniteElements) + " are NaN or infinite, here and in the reference, so that they show "
                                            "nothing; give other inputs";
    return;
  }
  if (showsNothing(result)) {
    result.verdict = CheckVerdict::NotComparable;
    result.why = share(result.loose) +
                 formatted(" could be 0 or twice as large and still be within their rounding errors, %.1e + %.1e * "
                           "|expected|, so that they show nothing; give other inputs, or types with more digits",
                           result.tolerance.absolute, result.tolerance.relative);
    return;
  }
  result.verdict = CheckVerdict::Ok;
}

const Comparison &worseOf(const Comparison &a, const Comparison &b) {
  if (a.verdict != b.verdict)
    return a.verdict > b.verdict ? a : b;
  return a.maxAbsError >= b.maxAbsError ? a : b;
}

void addCheck(message::Comparison<> &message, const Comparison &check) {
  message.verdict = check.verdict;
  message.why = check.why;
  message.maxAbsError = check.maxAbsError;
  message.maxRelError = check.maxRelError;
  message.absolute = check.tolerance.absolute;
  message.relative = check.tolerance.relative;
  message.elements = check.elements;
  message.nonfiniteActual = check.nonfinite.actual;
  message.nonfiniteExpected = check.nonfinite.expected;
  message.nonfiniteDiffer = check.nonfinite.differ;
}

} // namespace fuselage
