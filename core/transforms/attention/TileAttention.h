// From flow.attention to loops.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Replaces each flow.attention in `root` by loops (AttentionLoops.h). Tile sizes are those that somebody asks for on
/// the op, else those that the strategy of the module's device picks, else the usual ones. The regions around them are
/// canonicalized.
void tileAttention(mlir::Operation *root);

/// For analyses that know loops and structured ops. Returns a module with a copy of `function` and what it calls,
/// tiled, and sets `function` to that copy. Null, and nothing changed, if neither has a flow.attention.
mlir::OwningOpRef<mlir::ModuleOp> copyWithTiledAttention(mlir::func::FuncOp &function);

} // namespace fuselage
