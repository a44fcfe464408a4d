// What upstream leaves out when a transform "failed": the operand, map, body op or loop that it failed on.
#pragma once
#include "core/schedules/script/Script.h"

namespace fuselage {

/// Notes about `op`, a transform of `script` that has just failed: handles of it that hold nothing, what this kind of
/// transform does not take of the ops that the others hold, and `reasons`, which the rewrites that it tried gave. Each
/// has the place of the payload's or the script's line that it is about. Empty where nothing is known beyond what the
/// op has said.
std::vector<Diagnostic> causesOf(const Script &script, mlir::transform::TransformOpInterface op,
                                 const mlir::transform::TransformState &state, llvm::ArrayRef<Diagnostic> reasons);

/// A remark that `op`, a transform.structured.match that has succeeded, matches nothing, as its payload has no op of
/// these names, and which it has. nullopt: it is none such.
std::optional<Diagnostic> matchesNothing(mlir::transform::TransformOpInterface op,
                                         const mlir::transform::TransformState &state);

} // namespace fuselage
