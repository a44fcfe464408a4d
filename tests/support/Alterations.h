// Results with one wrong element, for tests of the checks.
#pragma once
#include "core/run/values/HostTensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>
#include <optional>

namespace fuselage::test {

enum class Alteration { Doubled, Zeroed, Swapped };

/// A number of any element type but complex ones.
inline double numberOf(const HostTensor &tensor, int64_t at) {
  return llvm::isa<mlir::FloatType>(tensor.elementType()) ? tensor.floatAt(at) : double(tensor.integerAt(at));
}

inline void setNumber(HostTensor &tensor, int64_t at, double value) {
  if (llvm::isa<mlir::FloatType>(tensor.elementType()))
    tensor.setFloat(at, value);
  else
    tensor.setInteger(at, int64_t(value));
}

/// The next element, round to the first, that is another number; nullopt: all are equal.
inline std::optional<int64_t> unequalNeighbour(const HostTensor &tensor, int64_t at) {
  for (int64_t by = 1; by < tensor.elementCount(); ++by)
    if (int64_t other = (at + by) % tensor.elementCount(); numberOf(tensor, other) != numberOf(tensor, at))
      return other;
  return std::nullopt;
}

/// The finite element of the largest magnitude.
inline int64_t largestOf(const HostTensor &tensor) {
  int64_t largest = 0;
  double size = -1;
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    if (double value = std::abs(numberOf(tensor, i)); std::isfinite(value) && value > size) {
      size = value;
      largest = i;
    }
  return largest;
}

/// A copy whose element `at` is twice as large, zero, or changed with its next unequal neighbour;
/// twice as large where all are equal.
inline HostTensor altered(const HostTensor &tensor, Alteration how, int64_t at) {
  HostTensor copy = llvm::cantFail(HostTensor::create(tensor.type()));
  std::copy_n(tensor.data(), tensor.byteCount(), copy.data());
  double value = numberOf(tensor, at);
  std::optional<int64_t> other = how == Alteration::Swapped ? unequalNeighbour(tensor, at) : std::nullopt;
  if (other) {
    setNumber(copy, at, numberOf(tensor, *other));
    setNumber(copy, *other, value);
  } else {
    setNumber(copy, at, how == Alteration::Zeroed ? 0 : 2 * value);
  }
  return copy;
}

} // namespace fuselage::test
