// The modules of a file that `// -----` splits.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// The modules that passes run on: the nested ones of a split file, else the module itself.
llvm::SmallVector<mlir::ModuleOp> splitModules(mlir::ModuleOp module);

/// The outer module of a split file (see splitModules).
mlir::OwningOpRef<mlir::ModuleOp> createSplitModule(mlir::MLIRContext &context, llvm::StringRef file);

} // namespace fuselage
