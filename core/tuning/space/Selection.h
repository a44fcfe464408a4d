// Values for the knobs of a script.
#pragma once
#include "core/schedules/script/Script.h"
#include "core/tuning/space/SpaceReader.h"

namespace fuselage::tune {

/// What is selected in the script's knobs. nullopt: something is left open.
std::optional<Point> selectedPoint(const Space &space);

/// Selects the values of `point` in all knobs of `script`, whose space `space` is.
llvm::Error select(Script &script, const Space &space, llvm::ArrayRef<int64_t> point);

/// MLIR's interpreter has no meaning for transform.smt.constrain_params and fails there. Where a value is selected for
/// all knobs, this tests what each of them asks, puts transform.param.constant in the place of its results, and erases
/// it; else it does nothing. Failure, with the place: an assertion does not hold, with the values that it read.
llvm::Error resolveConstraints(Script &script);

} // namespace fuselage::tune
