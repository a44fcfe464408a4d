// Whether a normal form would have made a schedule go on.
#pragma once
#include "core/schedules/trace/Trace.h"

namespace fuselage {

/// Of a trace of `script` on `payload` that failed: a remark, at the op's line, that the op that failed expects a form
/// that a function is not in. nullopt: that is not what it failed of. Runs the script again up to there, as `options`
/// had it run.
std::optional<Diagnostic> formAdvice(Script &script, mlir::ModuleOp payload, const Trace &trace, TraceOptions options);

} // namespace fuselage
