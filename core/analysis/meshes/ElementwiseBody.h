// What an elementwise op does to one of its inputs: nothing but scale it, keep its order, or anything.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>
#include <string>

namespace fuselage {

/// Why `op` is not elementwise: parallel loops alone, one result that is written through a permutation of them, nothing
/// read but its inputs; empty if it is. Says it of the op: "it has reduction loops".
std::string whyNotElementwise(mlir::linalg::LinalgOp op);

/// What is known of the function that the body computes, of the inputs that are moved.
struct BodyClass {
  bool holds = false;
  bool isExact = true; ///< bit for bit, but for overflow, NaN and the sign of zero
  std::string why{};   ///< it does not hold: what stands against it
};

/// Whether the result is a linear form of the inputs of `moved`, with factors that come from other inputs and
/// constants: f(a + b) = f(a) + f(b) and f(0) = 0. Exact: of integers, and of floats if it only negates or scales by
/// powers of two.
BodyClass linearIn(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> moved);

/// Whether the result never falls when the input rises, all else being equal, and neither in rounded arithmetic:
/// additions, subtractions, maxima, minima and positive constant factors, of floats. One input may be moved.
BodyClass risingIn(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> moved);

} // namespace fuselage
