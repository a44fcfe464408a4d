// Which buffers ops touch: what barriers stand for.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuselage {

/// Buffers that an op reads and writes, by their roots.
struct Accesses {
  llvm::SmallPtrSet<mlir::Value, 8> reads, writes;

  void add(const Accesses &other) {
    reads.insert(other.reads.begin(), other.reads.end());
    writes.insert(other.writes.begin(), other.writes.end());
  }
  void clear() {
    reads.clear();
    writes.clear();
  }
  /// Whether `later` must wait for this.
  bool conflictsWith(const Accesses &later) const {
    auto any = [](const auto &a, const auto &b) {
      return llvm::any_of(a, [&](mlir::Value value) { return b.contains(value); });
    };
    return any(later.reads, writes) || any(later.writes, writes) || any(later.writes, reads);
  }
};

/// Adds what `op` itself touches.
void addAccesses(mlir::Operation *op, Accesses &accesses);
/// What `root` and everything in it touches.
Accesses accessesOf(mlir::Operation *root);

/// True if there is a structured op inside of `op`.
bool hasStructuredOps(mlir::Operation *op);

/// What the ops inside of `loop` touch, without `except`.
Accesses accessesInside(mlir::scf::ForOp loop, mlir::Operation *except);

/// True if between `loop` and `op` there is nothing but loops.
bool isInNestOnly(mlir::Operation *op, mlir::scf::ForOp loop);

} // namespace fuselage
