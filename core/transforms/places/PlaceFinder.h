// Which ops around one edge can leave their function together.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Whether an op is repeated where it is read rather than passed on: a constant, or a cheap producer (isCheapProducer).
bool isRepeated(mlir::Operation *op);

/// The values that an op reads: its operands, and those from outside that ops in it read.
llvm::SmallVector<mlir::Value> readBy(mlir::Operation *op);

/// Ops of one block, in program order: `from` and `to`, or the ops of the block that hold them, and what is computed
/// from one and for the other; then, `reach` times, the ops of the block that these read and that read them. What is
/// repeated, what has side effects and what would bring many more ops along is left out. Failure: the two are in no
/// common block, one of them holds the other, or an op with side effects is in between.
llvm::Expected<llvm::SmallVector<mlir::Operation *>> findPlace(mlir::Operation *from, mlir::Operation *to,
                                                               unsigned reach);

} // namespace fuselage
