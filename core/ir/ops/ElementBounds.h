// What a program asserts of the elements of its inputs.
#pragma once
#include "mlir/IR/Value.h"
#include <optional>

namespace fuselage {

/// On a function's argument of integers: array<i64: least, greatest>, both included.
inline constexpr llvm::StringLiteral kElementBoundsAttr = "fuselage.bounds";

struct ElementBounds {
  int64_t least = INT64_MIN, greatest = INT64_MAX;
};

/// The bounds that the argument's elements must keep; nullopt if there are none.
std::optional<ElementBounds> elementBounds(mlir::Value argument);

/// Narrows the bounds of a function's argument; false if the value is none.
bool narrowElementBounds(mlir::Value argument, ElementBounds bounds);

} // namespace fuselage
