// Whether a module has functions, boundaries and ops that passes do not know.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

inline constexpr llvm::StringLiteral kNormalizationPass = "fuselage-normalize-foreign";

/// Whether the pass has something to do.
bool needsNormalization(mlir::ModuleOp module);
/// Whether some of it is in forms that passes of upstream do not know: functions, variables, ops of other dialects.
bool hasForeignForms(mlir::ModuleOp module);

/// A copy of the module in which every module of a file that needs it is normalized; null if none
/// does. What the pass remarks is added to `said`, if given; `portable` is the pass's
/// option. Failure: the pass failed, and why.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
normalized(mlir::ModuleOp module, std::vector<Diagnostic> *said = nullptr, bool portable = false);

} // namespace fuselage
