// Which op of a host function wrote what another one reads out of a buffer.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace fuselage {

/// Of a function whose ops hand buffers to calls: once tensors are buffers, uses of values tell who knows an address
/// only.
struct BufferFlow {
  /// By operand that is read: the op that wrote the buffer last, in program order.
  llvm::DenseMap<mlir::OpOperand *, mlir::Operation *> writers;
  /// Allocations, views of them and the like, which do nothing but carry an address.
  llvm::DenseSet<mlir::Operation *> carriers;
};

/// Looks at the entry block; what a call reads and writes follows from the body of what it calls. What nobody knows of
/// counts as read and written. Empty for functions of other shapes.
BufferFlow findBufferFlow(mlir::Operation *function);

} // namespace fuselage
