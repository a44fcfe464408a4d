// How much there is to compute, before it is computed.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <optional>

namespace fuselage {

/// How often a loop runs, all of its dimensions together; nullopt: its bounds are no constants.
std::optional<int64_t> iterationsOf(mlir::LoopLikeOpInterface loop);

/// Floating-point operations of a function, with loops as often as they run and calls with what they call; of scalar
/// ops in loops, one each. -1: sizes or bounds are not known.
int64_t flopsOf(mlir::func::FuncOp function);

} // namespace fuselage
