// A dispatch's matmul, as libraries of linear algebra call it.
#pragma once
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace fuselage {

/// `batch` products of m x k by k x n, dense row-major; a transposed operand is k x m, or n x k.
struct MatmulShape {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool transposesLeft = false, transposesRight = false;
  std::string type{}; ///< of the operands: "f32", "f16"
  std::string resultType{};

  double flops() const { return 2.0 * double(batch) * double(m) * double(n) * double(k); }
  /// "12x128x64x128 f32, the right transposed"
  std::string text() const;
  auto operator<=>(const MatmulShape &) const = default;
};

/// The shape of the only contraction in a dispatch; nullopt: there is none or are several, its sizes are not static, or
/// it is no product of two matrices whose loops lie as libraries take them.
std::optional<MatmulShape> matmulOf(mlir::Operation *dispatch);

} // namespace fuselage
