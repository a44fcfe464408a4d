// Selects values for the knobs of a script.
#pragma once
#include "core/schedules/script/Script.h"
#include "core/tuning/space/SpaceReader.h"

namespace fuselage::tune {

/// The point of the selected values; nullopt if a knob has none.
std::optional<Point> selectedPoint(const Space &space);

/// Selects the values of `point` in the knobs of `script`. `space` is the space of `script`.
llvm::Error select(Script &script, const Space &space, llvm::ArrayRef<int64_t> point);

/// If all knobs have a selected value, checks the assertions of each transform.smt.constrain_params, replaces its
/// results by transform.param.constant, and erases it, because MLIR's interpreter fails on this op. Otherwise does
/// nothing. Fails if an assertion does not hold, with its place and the values that it reads.
llvm::Error resolveConstraints(Script &script);

} // namespace fuselage::tune
