// Chains of products whose subgroups own whole rows: what one of them leaves in registers the next
// one takes from there.
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
  MatrixProduct product{};             ///< operands, where it is one
  unsigned depth = 0;                  ///< the loop along the depth of a product
  std::optional<MatrixTile> tile{};    ///< of a product by matrix instructions: 16 rows and all
                                       ///< columns are a subgroup's part
  std::optional<PartialStore> store{}; ///< of a copy to where workgroups have their results
};

/// Ops of a workgroup on tiles whose rows are shared by subgroups: vectors with a number a row, and
/// matrices. They lie as the accumulators of matrix instructions do, or in pieces whose threads
/// multiply and add themselves. Attention, whose scores become probabilities, and those a factor,
/// is why.
struct RowPlan {
  int64_t rows = 0;
  RowLayout layout;
  llvm::DenseSet<mlir::Value> buffers; ///< allocations that stay in registers
  llvm::DenseMap<mlir::Operation *, RowOp> ops;

  int64_t threads() const { return layout.threadsFor(rows); }
  /// What is left of accesses when these buffers are none.
  Accesses inMemory(Accesses accesses) const;
  /// The buffers that `loop` changes and that are there already, which it has to carry: in the
  /// order of their allocations.
  llvm::SmallVector<mlir::Value> carriedThrough(mlir::scf::ForOp loop,
                                                llvm::function_ref<bool(mlir::Value)> isThere) const;
};

/// The plan for all tiles inside of `root`, if a product takes its left operand from another one's
/// results; nothing where an op on them is none of those above, or registers do not suffice.
/// `multipliesRows`: threads also compute products of f32 themselves, with whole rows in registers.
std::optional<RowPlan> planRows(mlir::Operation *root, llvm::ArrayRef<MatrixShape> shapes, int64_t maxThreads,
                                bool multipliesRows);

} // namespace fuselage
