#include "core/run/inspect/ValueStatistics.h"
#include "core/run/values/ResultView.h"
#include <charconv>
#include <cmath>

using namespace mlir;

namespace fuselage {
namespace {

/// A sum of float64 with what its roundings lost (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen", 1974).
struct CompensatedSum {
  double sum = 0, lost = 0;
  void add(double value) {
    double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  double total() const { return sum + lost; }
};

/// The shortest digits that read back as the same number.
template <class Number> std::string digitsOf(Number value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

std::string digitsOf(double value, Type type) {
  return type.getIntOrFloatBitWidth() <= 32 ? digitsOf(float(value)) : digitsOf(value);
}

bool isWide(Type element) { return isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 64; }

/// Exact figures of integers of up to 64 bits.
void addIntegers(const HostTensor &tensor, ValueStatistics &statistics) {
  bool isUnsigned = tensor.elementType().isUnsignedInteger();
  auto valueAt = [&](int64_t i) {
    int64_t value = tensor.integerAt(i);
    return isUnsigned ? __int128(uint64_t(value)) : __int128(value);
  };
  int64_t count = tensor.elementCount(), least = 0, greatest = 0;
  __int128 sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    __int128 value = valueAt(i);
    sum += value;
    statistics.zeros += value == 0;
    least = value < valueAt(least) ? i : least;
    greatest = value > valueAt(greatest) ? i : greatest;
  }
  if (count == 0)
    return;
  statistics.min = elementDigits(tensor, least);
  statistics.max = elementDigits(tensor, greatest);
  statistics.mean = double((long double)(sum) / count);
  CompensatedSum squares;
  for (int64_t i = 0; i < count; ++i) {
    double off = double(valueAt(i)) - statistics.mean;
    squares.add(off * off);
  }
  statistics.deviation = std::sqrt(squares.total() / double(count));
}

/// Calls `see` with each finite element and its number.
template <class See> void forEachFinite(const HostTensor &tensor, See see) {
  int64_t count = tensor.elementCount();
  for (int64_t i = 0; i < count; ++i)
    if (double value = realElement(tensor, i); std::isfinite(value))
      see(value, i);
}

/// Of floats and complex numbers.
void addReals(const HostTensor &tensor, ValueStatistics &statistics) {
  int64_t count = tensor.elementCount(), finite = 0, least = -1, greatest = -1;
  double low = 0, high = 0;
  for (int64_t i = 0; i < count; ++i) {
    double value = realElement(tensor, i);
    statistics.nan += std::isnan(value);
    statistics.positiveInfinities += std::isinf(value) && value > 0;
    statistics.negativeInfinities += std::isinf(value) && value < 0;
    statistics.zeros += value == 0;
  }
  CompensatedSum sum;
  forEachFinite(tensor, [&](double value, int64_t i) {
    sum.add(value);
    if (finite++ == 0 || value < low)
      low = value, least = i;
    if (greatest < 0 || value > high)
      high = value, greatest = i;
  });
  if (finite == 0)
    return;
  bool isComplex = isa<ComplexType>(tensor.elementType());
  statistics.min = isComplex ? digitsOf(low) : elementDigits(tensor, least);
  statistics.max = isComplex ? digitsOf(high) : elementDigits(tensor, greatest);
  statistics.mean = sum.total() / double(finite);
  if (!std::isfinite(statistics.mean)) { // the sum is more than float64 holds
    sum = {};
    forEachFinite(tensor, [&](double value, int64_t) { sum.add(value / double(finite)); });
    statistics.mean = sum.total();
  }
  CompensatedSum squares;
  forEachFinite(tensor, [&](double value, int64_t) {
    double off = value - statistics.mean;
    squares.add(off * off);
  });
  statistics.deviation = std::sqrt(squares.total() / double(finite));
}

} // namespace

double realElement(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  if (isa<FloatType>(element))
    return tensor.floatAt(index);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    HostTensor parts = tensor.reinterpret(RankedTensorType::get({2 * tensor.elementCount()}, complex.getElementType()));
    return std::hypot(parts.floatAt(2 * index), parts.floatAt(2 * index + 1));
  }
  int64_t value = tensor.integerAt(index);
  return element.isUnsignedInteger() ? double(uint64_t(value)) : double(value);
}

std::string elementDigits(const HostTensor &tensor, int64_t index) {
  Type type = tensor.elementType();
  if (isa<FloatType>(type))
    return digitsOf(tensor.floatAt(index), type);
  if (type.isInteger(1))
    return tensor.integerAt(index) ? "true" : "false";
  Element element = elementOf(tensor, index);
  if (auto *number = std::get_if<std::complex<double>>(&element)) {
    Type part = cast<ComplexType>(type).getElementType();
    std::string imaginary = digitsOf(number->imag(), part);
    return digitsOf(number->real(), part) + (imaginary.front() == '-' ? "" : "+") + imaginary + "i";
  }
  if (auto *digits = std::get_if<std::string>(&element))
    return *digits;
  if (auto *number = std::get_if<uint64_t>(&element))
    return std::to_string(*number);
  return std::to_string(std::get<int64_t>(element));
}

ValueStatistics valueStatisticsOf(const HostTensor &tensor) {
  ValueStatistics statistics;
  statistics.elements = tensor.elementCount();
  Type element = tensor.elementType();
  if (isa<FloatType, ComplexType>(element)) {
    statistics.ofMagnitudes = isa<ComplexType>(element);
    addReals(tensor, statistics);
  } else if (isWide(element)) {
    for (int64_t i = 0; i < statistics.elements; ++i)
      statistics.zeros += elementDigits(tensor, i) == "0";
  } else {
    addIntegers(tensor, statistics);
  }
  return statistics;
}

} // namespace fuselage
