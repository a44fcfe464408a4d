// Finds copies from global to workgroup memory that can be asynchronous.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace fuselage {

/// A copy by one thread of elements, or zeros instead of them, from global to workgroup memory.
struct WorkgroupCopy {
  mlir::Operation *load, *store;
  mlir::Value condition; ///< if false, zeros are written; null: always true
  mlir::Value from, to;
  mlir::ValueRange fromIndices, toIndices;
  int64_t elements;
  mlir::scf::IfOp guard{}; ///< around the copy, if some threads have nothing to copy; else null
};

/// Returns true if `buffer` is in workgroup memory.
bool isInWorkgroupMemory(mlir::Value buffer);

/// Returns the copy whose store is `op`. Returns nullopt if an asynchronous copy cannot make it: those move 4, 8 or
/// 16 bytes and write zeros where they read nothing.
std::optional<WorkgroupCopy> copyOf(mlir::Operation *op);
/// The same; `op` may also be a branch that contains nothing but a copy.
std::optional<WorkgroupCopy> guardedCopyOf(mlir::Operation *op);

/// Returns the ops that read or write `memory` or views of it; nullopt if it has other users.
std::optional<llvm::SmallVector<mlir::Operation *>> accessesTo(mlir::Value memory);

/// Returns true if `op` may write `memory`.
bool writesTo(mlir::Operation *op, mlir::Value memory);

} // namespace fuselage
