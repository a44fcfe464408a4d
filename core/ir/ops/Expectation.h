// What a program expects of its own results: `check.expect_eq` and its like.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace fuselage {

/// On a result of a function that is to be equal to the one after it: a dictionary of the members of Expectation.
inline constexpr llvm::StringLiteral kExpectationAttr = "fuselage.expects";

/// How near a value must be to another one. NaN equals NaN.
struct Expectation {
  enum class Kind { Equal, Near, Close };
  Kind kind = Kind::Equal;
  double tolerance = 1e-4;       ///< Near: the largest difference
  int64_t minUlps = 0, ulps = 3; ///< Close: how many floats of the type apart, at least and at most
  std::string op;                ///< "expect_close"
  std::string place;             ///< file:line:col of the op
};

mlir::DictionaryAttr toAttribute(const Expectation &expectation, mlir::MLIRContext *context);
/// Nullopt: nothing is expected of this result.
std::optional<Expectation> expectationOf(mlir::func::FuncOp function, unsigned result);

} // namespace fuselage
