// Copies from global to workgroup memory that an asynchronous copy could do.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace fuselage {

/// A value that a thread reads from global memory and puts into workgroup memory, just as it is, or zero instead.
struct WorkgroupCopy {
  mlir::Operation *load, *store;
  mlir::Value condition; ///< whether it is the value; null: always
  mlir::Value from, to;
  mlir::ValueRange fromIndices, toIndices;
  int64_t elements;
  mlir::scf::IfOp guard{}; ///< around it, where some threads have nothing to copy
};

/// Whether it is a buffer in workgroup memory.
bool isInWorkgroupMemory(mlir::Value buffer);

/// What `op` copies by itself. Nothing where an asynchronous copy could not do it: it moves 4, 8 or 16 bytes, and puts
/// zeros where it reads nothing.
std::optional<WorkgroupCopy> copyOf(mlir::Operation *op);
/// What `op` copies: itself, or in a branch that does nothing else.
std::optional<WorkgroupCopy> guardedCopyOf(mlir::Operation *op);

/// Ops that read or write `memory` or views of it; nothing where it goes elsewhere.
std::optional<llvm::SmallVector<mlir::Operation *>> accessesTo(mlir::Value memory);

/// Whether `op` writes `memory`, or may do so.
bool writesTo(mlir::Operation *op, mlir::Value memory);

} // namespace fuselage
