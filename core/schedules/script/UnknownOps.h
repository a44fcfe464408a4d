// Transform ops that MLIR does not know: a schedule ends before the first one.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Whether the interpreter applies the ops in the op's blocks one after the other.
bool walksThrough(mlir::Operation *op);

/// Puts a StopOp before each op of `script` that is not known here, and of each that holds such patterns, once.
/// The interpreter takes every op for a transform, and crashes at others. `said` is what reading the script said.
void stopAtUnknown(mlir::Operation *script, llvm::ArrayRef<Diagnostic> said);

/// A warning for each name of a transform.structured.match that no op has, and that is a typo away from one: it would
/// match nothing, which is no error.
std::vector<Diagnostic> findMistypedMatches(mlir::Operation *script);

} // namespace fuselage
