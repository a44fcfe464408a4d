// Programs that check themselves: tests of StableHLO and IREE, as results to compare.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// `check.expect_eq`, `_almost_eq` and `_close`, of two values or of one and a constant (`_const`), and calls
/// `stablehlo.custom_call @check.expect_close`.
bool isExpectation(mlir::Operation *op);

/// Makes both values of each expectation results of their function, the first with kExpectationAttr, so that a run
/// compares them. Stay as they are: those in regions and in functions that are called, and those of values that are
/// not tensors of the same type.
void openExpectations(mlir::ModuleOp module);

} // namespace fuselage
