// What a schedule leaves open: transform.tune.knob and transform.tune.alternatives.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/script/Script.h"
#include <map>

namespace fuselage {

/// The knobs of a script, in its order. A knob's `options` are a list of values, or a dictionary with any of
/// lower_bound, upper_bound, divisible_by and divides, as llvm/lighthouse spells them, the last two a number or the
/// name of another knob, and power_of_two; an alternative's are the numbers of its regions.
message::ScheduleKnobs<> knobsOf(const Script &script);

/// Selects values by name: all knobs of a name get it. Failure, naming the knob and what it takes: there is none of
/// that name, or the value is no option of it, or not what another knob asks for.
llvm::Error setKnobs(Script &script, const std::map<std::string, std::string> &values);

/// An option as the script, or `--set`, spells it: numbers without a type, strings without quotes.
std::string optionText(mlir::Attribute option);

/// What to tell who runs into `op`, a knob that nothing selects a value for; empty: it is none.
std::string howToSelect(mlir::Operation *op);

} // namespace fuselage
