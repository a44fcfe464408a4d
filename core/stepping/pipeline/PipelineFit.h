// How far the default pipeline gets with a module of dialects that we only read.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace fuselage {

/// Cuts `steps`, those of the default pipeline, where `module` would make one fail for no fault of its
/// own: bufferization refuses ops on tensors that it does not know. Without a single op that the
/// pipeline tiles, beside ops of unknown dialects, no step is left. Returns a remark that says what was
/// left out, why, and what can be recorded instead; nullopt: all steps stay.
std::optional<Diagnostic> fitPipeline(mlir::ModuleOp module, std::vector<PipelineStep> &steps);

} // namespace fuselage
