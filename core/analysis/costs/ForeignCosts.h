// Work of ops that only their names and types describe.
#pragma once
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// flops of an op of a dialect or version that we only read, guessed from its name:
/// - products (matmul, dot, mm, bmm, ...): 2 an element of the result for each step of the reduction,
///   whose length K is told by sizes alone: of A[b,m,k], B[b,k,n] and C[b,m,n], |A| |B| / |C| is b K^2,
///   however the operands are transposed; b are the leading dimensions that all three have in common;
/// - elementwise arithmetic: 1 an element of the result; softmax: 5, as for linalg.softmax;
/// - reductions: 1 an element of the first operand.
/// -1: a size is dynamic. nullopt: the name says nothing, or the op moves data only.
std::optional<int64_t> foreignFlops(mlir::Operation *op);

} // namespace fuselage
