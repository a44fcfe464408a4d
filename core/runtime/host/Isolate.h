// Parts of a module as modules of their own.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Copies into `module` every symbol that `root` refers to, and what those refer to in turn, unless
/// it is there already.
void cloneReferencedSymbols(mlir::Operation *root, mlir::ModuleOp module);

/// A module with a public copy of `function` and all that it refers to.
mlir::OwningOpRef<mlir::ModuleOp> isolateFunction(mlir::func::FuncOp function);

/// A module with one public function @run that does what `ops` do (of one block, in order): its
/// arguments are `inputs`, its results `outputs`.
mlir::OwningOpRef<mlir::ModuleOp> isolateOps(llvm::ArrayRef<mlir::Operation *> ops,
                                             llvm::ArrayRef<mlir::Value> inputs,
                                             llvm::ArrayRef<mlir::Value> outputs);

} // namespace fuselage
