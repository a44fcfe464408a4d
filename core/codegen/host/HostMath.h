// Functions of mathematics that the stock lowering to LLVM lacks, or computes with too large an error.
#pragma once
#include "mlir/Pass/Pass.h"

namespace fuselage {

/// On scalars: expm1 and log1p of f32 and f64 call the mathematical library (upstream makes exp(x) - 1 and
/// log(1 + x) of them, which lose all digits near zero); isinf, isnormal and clampf become arith ops.
std::unique_ptr<mlir::Pass> createHostMathPass();

} // namespace fuselage
