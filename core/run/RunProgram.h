// A module made ready to be walked: every op that computes on tensors is in a dispatch of its own function.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"
#include <atomic>

namespace fuselage {

struct RunProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  unsigned dispatchCalls = 0;
  llvm::SetVector<mlir::func::FuncOp> dispatches{}; ///< in order of their first call
  mlir::OwningOpRef<mlir::ModuleOp> unfused{};      ///< the same before the ops within dispatches were fused

  /// What a dispatch computes, op by op.
  mlir::func::FuncOp plainOf(mlir::func::FuncOp dispatch) const;
};

/// The steps of the default pipeline up to outlined dispatches. Dispatches that the module has already
/// stay; ops that belong to none get theirs. What passes say beside errors goes to `remarks`. Failure also once
/// `cancelled`.
llvm::Expected<RunProgram> formRunProgram(mlir::OwningOpRef<mlir::ModuleOp> module, llvm::StringRef function,
                                          std::vector<Diagnostic> &remarks,
                                          const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
