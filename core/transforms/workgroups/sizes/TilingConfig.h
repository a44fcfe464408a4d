// The attribute `fuselage.tiling`: the tile sizes chosen for an op, for later passes and for the reader. On an op that
// is not tiled yet they are requested sizes.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// Places in TilingConfig::host.
enum HostSize : unsigned { HostRows, HostVectors, HostTaskRows, HostTaskColumns, HostBlockRows };

/// Tile sizes by loop of the op that carries them; 0 leaves a loop whole. Printed as
/// `fuselage.tiling = {reduction = array<i64: 0, 0, 32>, workgroup = array<i64: 32, 64, 0>}`.
struct TilingConfig {
  llvm::SmallVector<int64_t> workgroup; ///< on a kernel's root: the tile of one workgroup
  llvm::SmallVector<int64_t> reduction; ///< the serial steps over reduction loops
  /// On the host, by HostSize and not by loop: rows and vectors of results in registers, rows and columns of a task,
  /// rows of a block (RowBlocks.h); 0: not requested. LoopPlan.h finds the loops for rows and vectors.
  llvm::SmallVector<int64_t, 4> host{};
  /// Split-K: the iterations of a reduction loop per workgroup. Other workgroups have the others, and a second kernel
  /// combines their partial results. All 0: no split is requested or chosen.
  llvm::SmallVector<int64_t> split{};

  static constexpr llvm::StringLiteral attributeName = "fuselage.tiling";
  bool empty() const { return workgroup.empty() && reduction.empty() && host.empty() && split.empty(); }
};

/// Returns the attribute of `op`; empty if it has none, or one of another form.
TilingConfig readTilingConfig(mlir::Operation *op);

/// Returns `sizes` if there is one, not negative, for each of `loops` loops; else none.
llvm::SmallVector<int64_t> sizesForLoops(llvm::ArrayRef<int64_t> sizes, size_t loops);

/// Sets the attribute; an empty config removes it.
void writeTilingConfig(mlir::Operation *op, const TilingConfig &config);

} // namespace fuselage
