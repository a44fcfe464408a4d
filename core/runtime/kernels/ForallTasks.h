// scf.forall as tasks for several threads.
#pragma once
#include "core/runtime/kernels/ParallelCalls.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace fuselage {

/// Moves the body of a loop on memory into a function of tasks, one an iteration, and puts a call in its place. Nullopt,
/// and nothing changed, where the number of iterations is not known.
std::optional<ParallelCall> outlineForall(mlir::scf::ForallOp op, mlir::ModuleOp module, llvm::StringRef name);

} // namespace fuselage
