// What partial text lacks to be a module that verifies.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// A fragment's function returns what its last op returns.
void completeFragments(mlir::ModuleOp module);

/// Symbols that are defined twice, as in listings that were put together: the later one is renamed, and
/// reported under its old name. An op of an unknown dialect that seems to define a function's name, and is none, names
/// that function.
/// Returns whether there were any.
bool renameSecondSymbols(mlir::ModuleOp module, llvm::function_ref<void(mlir::Operation *, llvm::StringRef)> report);

/// Blocks without a terminator, as in text that is cut off, get one: a return where that returns nothing,
/// else a gap without text. `report` is given what the terminator should have followed: the block's last
/// op, or the op around an empty one. Returns whether there were any.
bool completeBlocks(mlir::ModuleOp module, llvm::function_ref<void(mlir::Operation *)> report);

} // namespace fuselage
