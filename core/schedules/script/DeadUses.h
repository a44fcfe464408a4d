// Uses of handles that are dead by then, told from the script alone.
#pragma once
#include "core/schedules/script/Script.h"

namespace fuselage {

/// The uses of handles that were consumed before, in the order of the script. An Error: whenever the use is reached,
/// the interpreter refuses it, whatever the payload is. A Warning: that depends on the payload, as where a handle to an
/// op inside of another one is used after what consumed the other, or on the way that the schedule takes. Each has a
/// note at the op that consumes. `transform-dialect-check-uses` of MLIR follows single values only, and calls all
/// "may".
std::vector<Diagnostic> predictDeadUses(const Script &script);

} // namespace fuselage
