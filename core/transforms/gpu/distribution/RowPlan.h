// Plans chains of contractions whose subgroups own whole rows, so that the results of one stay in registers for the
// next.
#pragma once
#include "core/transforms/gpu/distribution/BufferAccesses.h"
#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "core/transforms/gpu/distribution/ResultStores.h"
#include "core/transforms/workgroups/sizes/RowLayout.h"
#include "llvm/ADT/DenseSet.h"

namespace fuselage {

/// How an op on tiles of rows is computed in registers.
struct RowOp {
  enum class Kind { Fill, Elementwise, Reduction, Product, Store };
  Kind kind = Kind::Elementwise;
  unsigned row = 0;                    ///< the loop along rows
  std::optional<unsigned> column;      ///< the loop along columns
  int64_t columns = 0;                 ///< its range
  MatrixProduct product{};             ///< operands of Kind::Product
  unsigned k = 0;                      ///< the K loop of a product
  std::optional<MatrixTile> tile{};    ///< of a product by matrix instructions; a subgroup's part has
                                       ///< 16 rows and all columns
  std::optional<PartialStore> store{}; ///< of Kind::Store: a copy to the result
};

/// Ops of a workgroup on tiles whose rows are distributed to subgroups: matrices, and vectors with an element per row.
/// Elements are distributed to threads as the accumulators of matrix instructions, or in tiles for threads that compute
/// without those. Made for attention, where the results of one contraction become an operand of the next.
struct RowPlan {
  int64_t rows = 0;
  RowLayout layout;
  llvm::DenseSet<mlir::Value> buffers; ///< allocations that stay in registers
  llvm::DenseMap<mlir::Operation *, RowOp> ops;

  int64_t threads() const { return layout.threadsFor(rows); }
  /// Returns `accesses` without the buffers that stay in registers.
  Accesses inMemory(Accesses accesses) const;
  /// Returns the buffers of the plan that `loop` changes and for which `isThere` holds, in the order of their
  /// allocations. The loop has to carry them.
  llvm::SmallVector<mlir::Value> carriedThrough(mlir::scf::ForOp loop,
                                                llvm::function_ref<bool(mlir::Value)> isThere) const;
};

/// Returns the plan for all tiles in `root`. Returns nullopt unless a product's left operand is the result of another
/// one, all ops on the tiles are of a RowOp::Kind, and registers suffice. `multipliesRows`: f32 products without matrix
/// instructions count as well.
std::optional<RowPlan> planRows(mlir::Operation *root, llvm::ArrayRef<MatrixShape> shapes, int64_t maxThreads,
                                bool multipliesRows);

} // namespace fuselage
