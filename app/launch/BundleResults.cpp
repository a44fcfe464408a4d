#include "app/launch/BundleResults.h"
#include "core/runtime/host/NarrowFloatFunctions.h"
#include "core/support/BitCast.h"
#include <cmath>
#include <cstring>
#include <map>

namespace fuselage::bundle {

namespace {

/// The number of a format of 8 bits and fewer (NarrowFloatFunctions.h); nullopt: it is none.
std::optional<uint32_t> narrowKind(std::string_view element) {
  static const std::map<std::string_view, uint32_t> kinds = {
      {"f8E5M2", 7},  {"f8E5M2FNUZ", 8}, {"f8E4M3", 9},    {"f8E4M3FN", 10}, {"f8E4M3FNUZ", 11}, {"f8E4M3B11FNUZ", 12},
      {"f8E3M4", 13}, {"f8E8M0FNU", 15}, {"f6E3M2FN", 16}, {"f6E2M3FN", 17}, {"f4E2M1FN", 18}};
  auto found = kinds.find(element);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

template <class T> T elementAt(std::string_view bytes, int64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * int64_t(sizeof value), sizeof value);
  return value;
}

double halfAt(std::string_view bytes, int64_t index) {
  auto bits = elementAt<uint16_t>(bytes, index);
  int exponent = bits >> 10 & 31;
  double mantissa = bits & 1023, size;
  if (exponent == 31)
    size = mantissa == 0 ? HUGE_VAL : NAN;
  else
    size = std::ldexp(exponent == 0 ? mantissa : mantissa + 1024, std::max(exponent, 1) - 25);
  return bits >> 15 ? -size : size;
}

/// An element of floats.
double floatAt(std::string_view element, std::optional<uint32_t> narrow, std::string_view bytes, int64_t index) {
  if (element == "f32")
    return elementAt<float>(bytes, index);
  if (element == "f64")
    return elementAt<double>(bytes, index);
  if (element == "f16")
    return halfAt(bytes, index);
  if (element == "bf16")
    return bitCast<float>(uint32_t(elementAt<uint16_t>(bytes, index)) << 16);
  return widenFloat(elementAt<uint8_t>(bytes, index), *narrow);
}

/// The bits of an element of `bits` bits in memory, of which only `counting` count.
uint64_t integerAt(std::string_view bytes, unsigned bits, unsigned counting, int64_t index) {
  uint64_t value = 0;
  if (bits < 8)
    value = uint8_t(bytes[size_t(index) * bits / 8]) >> (size_t(index) * bits % 8);
  else
    std::memcpy(&value, bytes.data() + size_t(index) * (bits / 8), bits / 8);
  return counting >= 64 ? value : value & ((uint64_t(1) << counting) - 1);
}

/// An integer of `bits` bits as a double, which holds those of up to 53 bits to the digit.
double numberOf(uint64_t value, unsigned bits, bool isSigned) {
  if (!isSigned)
    return double(value);
  return double(int64_t(value << (64 - bits)) >> (64 - bits));
}

void gatherIntegers(std::string_view actual, std::string_view expected, std::string_view element, bool isHost,
                    int64_t count, ComparisonGatherer &gatherer) {
  unsigned bits = elementBits(element, isHost);
  bool isSigned = element != "i1" && element[0] != 'u';
  unsigned counting = element == "i1" ? 1 : element == "i2" ? 2 : element == "i4" ? 4 : bits;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t is = integerAt(actual, bits, counting, i), was = integerAt(expected, bits, counting, i);
    if (is == was)
      continue;
    double a = numberOf(is, counting, isSigned), b = numberOf(was, counting, isSigned);
    gatherer.addDifferentIntegers(i, std::max(std::abs(a - b), 1.0), std::abs(b));
  }
}

bool isFloat(std::string_view element) { return element[0] == 'f' || element[0] == 'b'; }

Comparison compareOnce(std::string_view actual, std::string_view expected, const ExpectedValue &form, bool isHost,
                       const ErrorLimits &limits) {
  std::string_view element = form.value.element;
  Comparison result;
  int64_t parts = 1;
  if (element.substr(0, 8) == "complex<") { // compared part by part
    element = element.substr(8, element.size() - 9);
    parts = 2;
  }
  result.elements = parts;
  for (int64_t size : form.value.shape)
    result.elements *= size;
  result.tolerance = {.absolute = limits.absolute, .relative = limits.relative, .typical = limits.typical};
  ComparisonGatherer gatherer(result);
  std::optional<uint32_t> narrow = narrowKind(element);
  if (!isFloat(element))
    gatherIntegers(actual, expected, element, isHost, result.elements, gatherer);
  else
    for (int64_t i = 0; i < result.elements; ++i)
      gatherer.addFloats(i, floatAt(element, narrow, actual, i), floatAt(element, narrow, expected, i));
  gatherer.judge(isFloat(element), {.infinities = form.infinitiesIntended, .nans = form.nansIntended});
  if (result.worst >= 0)
    result.worst /= parts;
  return result;
}

} // namespace

Comparison compareBytes(std::string_view actual, std::string_view expectedBytes, const ExpectedValue &expected,
                        bool isHost) {
  if (expected.limits.empty())
    return compareOnce(actual, expectedBytes, expected, isHost, {});
  Comparison last;
  for (const ErrorLimits &limits : expected.limits) {
    last = compareOnce(actual, expectedBytes, expected, isHost, limits);
    if (last.ok())
      break;
  }
  return last;
}

} // namespace fuselage::bundle
