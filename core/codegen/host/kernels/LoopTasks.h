// Parallel loops as tasks for several threads.
#pragma once
#include "core/codegen/host/kernels/ParallelCalls.h"
#include <optional>

namespace fuselage {

/// Moves the body of an scf.forall or scf.parallel on memory into a function of tasks, one an iteration, for so many
/// threads, and puts a call in its place. Nullopt, and nothing changed, where the number of iterations is not known, or
/// the loop gives values.
std::optional<ParallelCall> outlineParallelLoop(mlir::Operation *loop, mlir::ModuleOp module, llvm::StringRef name,
                                                unsigned threads);

} // namespace fuselage
