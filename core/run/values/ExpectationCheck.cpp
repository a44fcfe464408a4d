#include "core/run/values/ExpectationCheck.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace fuselage {

/// The number of an element among all floats of its type in order; both zeros are 0.
static int64_t ordinalOf(const HostTensor &tensor, int64_t index) {
  unsigned bytes = hostElementBytes(tensor.elementType()), bits = tensor.elementType().getIntOrFloatBitWidth();
  uint64_t word = 0;
  std::memcpy(&word, tensor.data() + index * bytes, bytes);
  uint64_t sign = uint64_t(1) << (bits - 1);
  auto size = int64_t(word & (sign - 1));
  return word & sign ? -size : size;
}

static bool isFloatAsExpected(const Expectation &expectation, const HostTensor &actual, const HostTensor &expected,
                              int64_t index) {
  double is = actual.floatAt(index), wanted = expected.floatAt(index);
  if (std::isnan(is) || std::isnan(wanted))
    return std::isnan(is) && std::isnan(wanted);
  if (std::isinf(is) || std::isinf(wanted) || expectation.kind == Expectation::Kind::Equal)
    return is == wanted;
  constexpr unsigned widest = 64; // beyond, floats have no number in 64 bits
  if (expectation.kind == Expectation::Kind::Near || actual.elementType().getIntOrFloatBitWidth() > widest)
    return std::abs(is - wanted) <= expectation.tolerance;
  int64_t a = ordinalOf(actual, index), b = ordinalOf(expected, index);
  uint64_t apart = a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a);
  return apart >= uint64_t(std::max<int64_t>(expectation.minUlps, 0)) &&
         apart <= uint64_t(std::max<int64_t>(expectation.ulps, 0));
}

static bool isIntegerEqual(const HostTensor &actual, const HostTensor &expected, int64_t index) {
  unsigned bytes = hostElementBytes(expected.elementType());
  return std::memcmp(actual.data() + index * bytes, expected.data() + index * bytes, bytes) == 0;
}

static std::string elementText(const HostTensor &tensor, int64_t index) {
  uint8_t *data = tensor.data() + index * hostElementBytes(tensor.elementType());
  return printTensor(HostTensor::wrap(tensor.elementType(), tensor.owner(), data));
}

/// Whether an element is as expected. Of complex numbers, the parts are floats one after the other.
static bool isAsExpected(const Expectation &expectation, const HostTensor &actual, const HostTensor &expected,
                         int64_t index) {
  if (auto complex = llvm::dyn_cast<ComplexType>(actual.elementType())) {
    Type parts = RankedTensorType::get({2 * actual.elementCount()}, complex.getElementType());
    HostTensor is = actual.reinterpret(parts), wanted = expected.reinterpret(parts);
    return isFloatAsExpected(expectation, is, wanted, 2 * index) &&
           isFloatAsExpected(expectation, is, wanted, 2 * index + 1);
  }
  if (llvm::isa<FloatType>(actual.elementType()))
    return isFloatAsExpected(expectation, actual, expected, index);
  return isIntegerEqual(actual, expected, index);
}

std::string whyNotAsExpected(const Expectation &expectation, const HostTensor &actual, const HostTensor &expected) {
  std::string what = expectation.op + (expectation.place.empty() ? "" : " (" + expectation.place + ")");
  if (actual.type() != expected.type())
    return what + " does not hold: the types are " + textOf(actual.type()) + " and " + textOf(expected.type());
  int64_t count = actual.elementCount(), wrong = 0, first = -1;
  for (int64_t i = 0; i < count; ++i) {
    if (isAsExpected(expectation, actual, expected, i))
      continue;
    first = wrong++ == 0 ? i : first;
  }
  if (wrong == 0)
    return "";
  std::string where;
  for (int64_t at : coordinatesOf(actual.shape(), first))
    where += (where.empty() ? "" : ", ") + std::to_string(at);
  return what + " does not hold for " + std::to_string(wrong) + " of " + std::to_string(count) + " elements: [" +
         where + "] is " + elementText(actual, first) + " instead of " + elementText(expected, first);
}

void checkExpectations(RunReport &report, func::FuncOp function) {
  unsigned hold = 0;
  for (auto [index, output] : llvm::enumerate(report.outputs)) {
    std::optional<Expectation> expectation = expectationOf(function, index);
    if (!expectation)
      continue;
    std::string why = whyNotAsExpected(*expectation, output.value, report.outputs[index + 1].value);
    hold += why.empty();
    if (!why.empty() && output.check.verdict < CheckVerdict::Wrong) {
      output.check.verdict = CheckVerdict::Wrong;
      output.check.why = std::move(why);
    }
  }
  if (hold > 0)
    report.remarks.push_back({.severity = Diagnostic::Severity::Remark,
                              .message = std::to_string(hold) + (hold == 1 ? " expectation" : " expectations") +
                                         " of the program " + (hold == 1 ? "holds" : "hold")});
}

} // namespace fuselage
