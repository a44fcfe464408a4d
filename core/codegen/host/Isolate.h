// Parts of a module as modules of their own.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {

/// Copies into `module` every symbol that `root` refers to, and what those refer to in turn, unless
/// it is there already.
void cloneReferencedSymbols(mlir::Operation *root, mlir::ModuleOp module);

/// A module with a public copy of `function` and all that it refers to.
mlir::OwningOpRef<mlir::ModuleOp> isolateFunction(mlir::func::FuncOp function);

/// A module with one public function @run that does what `ops` do (of one block, in order): its
/// arguments are `inputs`, its results `outputs`.
mlir::OwningOpRef<mlir::ModuleOp> isolateOps(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Value> inputs,
                                             llvm::ArrayRef<mlir::Value> outputs);

/// The values that an op uses, itself or in its regions, and others define.
llvm::SetVector<mlir::Value> usedByOp(mlir::Operation *op);

/// The values that ops of a group, of one block, use and others define, and those they define and others use.
void bordersOf(llvm::ArrayRef<mlir::Operation *> group, llvm::SetVector<mlir::Value> &inputs,
               llvm::SetVector<mlir::Value> &outputs);

} // namespace fuselage
