// What the tensor-level passes work on: the body of a dispatch, wherever it stands.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// The attribute of functions that are one outlined dispatch: its number in the module, an i64.
inline constexpr llvm::StringLiteral kDispatchAttr = "fuselage.dispatch";

/// True for a function with a body that is one outlined dispatch.
bool isDispatch(mlir::FunctionOpInterface function);

/// Calls `visit` for `root`, if it is a function with a body, and for every such function inside,
/// also in modules and executables of other dialects.
void forEachFunction(mlir::Operation *root, llvm::function_ref<void(mlir::FunctionOpInterface)> visit);

/// Calls `visit` for the body of every dispatch in `function`: each `flow.dispatch.region`, or the
/// function's own body when it is an outlined dispatch (kDispatchAttr). Bodies of
/// several blocks are passed over: no pass here moves ops across blocks.
void forEachDispatchBody(mlir::Operation *function, llvm::function_ref<void(mlir::Block &)> visit);

/// Whether the results of `map` never fall while its dimensions grow, as upstream's tiling takes
/// for granted: it cuts from the place of a tile's first iteration to that of its last. Not so for
/// `(d0) -> (7 - d0)` and `(d0) -> (d0 mod 4)`.
bool isMonotone(mlir::AffineMap map);

/// `op` if it computes tensors tile by tile: it has a TilingInterface, tensor results only, no loop
/// without iterations, every result is written at a place that follows from its loops (output
/// maps are projected permutations), and what it reads lies in their order. Null otherwise.
mlir::TilingInterface asTileable(mlir::Operation *op);

/// The ops of `body` that are tileable and used, in block order.
llvm::SmallVector<mlir::TilingInterface> tileableOps(mlir::Block &body);

/// True if `use` reads a tile of its value when the user is tiled: a direct operand of a tileable
/// op. Other uses (terminators, reshapes, `tensor.extract` in a payload) need the whole value.
bool readsByTile(mlir::OpOperand &use);

/// True if no loop of `op` is a reduction.
bool isAllParallel(mlir::TilingInterface op);

} // namespace fuselage
