// A module as our fusion leaves it, to be compared.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>

namespace fuselage {

/// A copy of the module in which all that pays is fused and all dispatches are formed. `proceed` is asked before
/// each pass; false ends it with a Failure.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
fusedProgram(mlir::ModuleOp module, const std::function<bool(llvm::StringRef pass)> &proceed = {});

} // namespace fuselage
