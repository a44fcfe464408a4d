// Copies that a program on buffers asks for: by memref.copy, linalg.copy, or a linalg.generic that only yields its
// input.
#pragma once
#include "core/analysis/buffers/BufferReason.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace fuselage {

struct ExplicitCopy {
  mlir::Operation *op;
  mlir::Value source, destination;   ///< memrefs
  mlir::Operation *reader = nullptr; ///< the first op that reads the copy; null: none does
  mlir::Operation *writer =
      nullptr; ///< the first op after it that writes to the copy or to what it is of; null: none does
  BufferReason reason = BufferReason::Explicit;
};

/// The copies of a module in program order, each with whether it is needed: what is written where afterwards, and read.
/// Buffers are told apart by what allocates them, through views; two arguments count as two buffers.
std::vector<ExplicitCopy> explicitCopies(mlir::ModuleOp module);

} // namespace fuselage
