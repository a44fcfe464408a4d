// The largest sum of what lives at once, where some things exclude each other.
#pragma once
#include "core/analysis/buffers/BufferSize.h"
#include "mlir/IR/Operation.h"
#include <string>
#include <vector>

namespace fuselage {

/// What is there from `first` to `last`, inclusive, in half steps: op number p works at 2 p, and what it
/// leaves behind is there from 2 p + 1 on. `branch`: the innermost region, out of several of which one
/// runs, that it was made in; null if none.
struct MemorySpan {
  int64_t first = 0, last = 0;
  BufferSize size{};
  mlir::Region *branch = nullptr;
};

/// The most bytes in use at once in one memory space while one function runs, with those of the
/// functions that it calls.
struct MemoryPeak {
  mlir::Operation *function = nullptr;
  std::string space{};
  BufferSize size{};
  int64_t at = -1; ///< the place of the op at which it is reached first; -1: it is 0 all the time
};

/// The peak of the spans: at any time, the sum of them, and of exclusive regions the one with most.
/// `at` is in half steps.
MemoryPeak peakOf(std::vector<MemorySpan> spans);

/// The innermost region around `op` that is one of several of which one runs (scf.if and the like).
mlir::Region *branchAround(mlir::Operation *op);

} // namespace fuselage
