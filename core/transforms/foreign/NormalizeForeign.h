// Whether a module has functions, boundaries and ops that passes do not know.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `fuselage-normalize-foreign` has something to do.
bool needsNormalization(mlir::ModuleOp module);

/// Runs it in place on every module of a file that needs it. What it remarks is added to `said`, if given.
llvm::Error normalizeForeign(mlir::ModuleOp module, std::vector<Diagnostic> *said = nullptr);

} // namespace fuselage
