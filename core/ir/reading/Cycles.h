// Ops that use their own results.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place: where an op uses a result of its own, directly or through other ops, the use that
/// comes before its definition becomes an undefined value. MLIR's verifier lets such ops pass in
/// regions of ops that no dialect defines, in graph regions, and in blocks that nothing reaches,
/// and walks along definitions never end on them. Returns an Error for each, at the op that uses
/// the value; a Warning in an op that no dialect defines.
std::vector<Diagnostic> breakCycles(mlir::ModuleOp module);

} // namespace fuselage
