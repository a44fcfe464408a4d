// Errors about the first op that the host does not run.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

inline constexpr llvm::StringLiteral kNoLowering = "no lowering to LLVM is known for it";

/// Reports the first op for which `refuse` has a reason: "'name' cannot run: reason". Success if there is none.
mlir::LogicalResult refuseFirst(mlir::ModuleOp module, llvm::function_ref<std::string(mlir::Operation *)> refuse);

/// Reports the first op that no dialect defines, on which some stock passes crash.
mlir::LogicalResult refuseUnregistered(mlir::ModuleOp module);

/// Reports a Failure at its place, or at the module's; success if there is none.
mlir::LogicalResult report(llvm::Error error, mlir::ModuleOp module);

} // namespace fuselage
