// Which ops of a module hold functions, are functions, or stand alone. Internal to core/graph.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Symbols with a body are taken for functions, whatever dialect they are of, unless a decoder knows better.
bool isFunctionLike(mlir::Operation *op);
/// Modules and their like: ops whose bodies hold functions.
bool isContainer(mlir::Operation *op);
/// Whether an op outside of any function is worth a node.
bool isShownAlone(mlir::Operation *op);

/// How many ops a module has, as a reader counts: those that a graph has nodes of. Modules and functions
/// hold them, and payloads are what an op does at one point.
int64_t countOps(mlir::ModuleOp module);

} // namespace fuselage
