// The buffers that ops read and write, which decide where barriers are needed.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuselage {

/// The buffers that an op reads and writes: the allocations or arguments, not views of them.
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
  /// Returns true if `later` must wait for these accesses.
  bool conflictsWith(const Accesses &later) const {
    auto any = [](const auto &a, const auto &b) {
      return llvm::any_of(a, [&](mlir::Value value) { return b.contains(value); });
    };
    return any(later.reads, writes) || any(later.writes, writes) || any(later.writes, reads);
  }
};

/// Adds the accesses of `op` itself.
void addAccesses(mlir::Operation *op, Accesses &accesses);
/// Returns the accesses of `root` and all ops in it.
Accesses accessesOf(mlir::Operation *root);

/// True if `op` contains a structured op.
bool hasStructuredOps(mlir::Operation *op);

/// Returns the accesses of all ops in `loop` but `except`.
Accesses accessesInside(mlir::scf::ForOp loop, mlir::Operation *except);

/// True if between `loop` and `op` there is nothing but loops.
bool isInNestOnly(mlir::Operation *op, mlir::scf::ForOp loop);

} // namespace fuselage
