// Functions and calls of other dialects as those of func.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// The terminators of a function's blocks that return from it.
llvm::SmallVector<mlir::Operation *> returnsOf(mlir::Region &body);

/// Its type by what it takes and returns; by its own type if it has no body, which `op` then says. Null if its
/// returns disagree.
mlir::FunctionType typeByBody(mlir::Operation *op);

/// `util.func` with `util.return` becomes func.func; one whose name or type cannot be told stays, with a remark.
void convertFunctions(mlir::ModuleOp module);

/// A call becomes func.call where its callee takes and returns just the types that it passes and expects.
void convertCalls(mlir::ModuleOp module);

/// Removes functions that do nothing but set up fences and devices and call another, which gets their name: what
/// exporters put around an asynchronous entry.
void dropWrappers(mlir::ModuleOp module);

/// Whether `inlinePrivateCalls` would inline the op.
bool isPrivateCall(mlir::Operation *op, mlir::SymbolTableCollection &symbols);
/// Puts the body of each private function of one block in place of its calls, but of one that calls itself, and
/// removes it where nothing refers to it any more.
void inlinePrivateCalls(mlir::ModuleOp module);

/// Calls `visit` with every symbol that the attributes of an op refer to.
void visitSymbolReferences(mlir::Operation *op, llvm::function_ref<void(mlir::SymbolRefAttr)> visit);

/// Functions with a body that others may call and nothing in the module refers to.
llvm::SmallVector<mlir::func::FuncOp> entriesOf(mlir::ModuleOp module);

} // namespace fuselage
