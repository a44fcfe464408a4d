// A module made ready to be walked: every op that computes on tensors is in a dispatch of its own function.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

struct RunProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  unsigned dispatchCalls = 0;
};

/// The steps of the default pipeline up to outlined dispatches. Dispatches that the module has already
/// stay; ops that belong to none get theirs. What passes say beside errors goes to `remarks`.
llvm::Expected<RunProgram> formRunProgram(mlir::OwningOpRef<mlir::ModuleOp> module, llvm::StringRef function,
                                          std::vector<Diagnostic> &remarks);

} // namespace fuselage
