// Arithmetic on whole tensors (`arith.addf %a, %b : tensor<4xf32>`), which has no loops before it
// is written in linalg.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Whether `op` is elementwise (arith, math, complex) on ranked tensors that lie in memory as they
/// are: no encoding.
bool isTensorArithmetic(mlir::Operation *op);

/// Writes each of `ops`, for which isTensorArithmetic holds, as a linalg.generic with a destination
/// of its own, by upstream's patterns. Nothing else is changed.
void writeAsStructured(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace fuselage
