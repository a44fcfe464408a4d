// Whether what a program expects of its results holds.
#pragma once
#include "core/ir/ops/Expectation.h"
#include "core/run/values/RunReport.h"

namespace fuselage {

/// A sentence about the first element that is not as expected; empty: it holds. Both have the same type. As
/// StableHLO's check dialect compares: NaN equals NaN, an infinity itself; complex numbers part by part.
std::string whyNotAsExpected(const Expectation &expectation, const HostTensor &actual, const HostTensor &expected);

/// Compares the results of a function that are expected to be equal: one that is not makes its output wrong; a remark
/// says how many are.
void checkExpectations(RunReport &report, mlir::func::FuncOp function);

} // namespace fuselage
