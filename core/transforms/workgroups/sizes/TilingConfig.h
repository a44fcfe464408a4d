// The attribute `fuselage.tiling`: what was decided for an op, for later passes and for the reader. On an op that is
// not tiled yet it is what somebody asks for.
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
  /// On the host, by HostSize: rows and vectors of results that registers hold, rows and columns of a task, rows of a
  /// block (RowBlocks.h); 0 leaves one open. Not by loop: which loops have the rows and lie in vectors, is found there
  /// (LoopPlan.h).
  llvm::SmallVector<int64_t, 4> host{};
  /// The iterations of a reduction loop that one workgroup takes; others take the rest, and a second kernel adds up
  /// what they come to. All 0: nobody shares the loop.
  llvm::SmallVector<int64_t> split{};

  static constexpr llvm::StringLiteral attributeName = "fuselage.tiling";
  bool empty() const { return workgroup.empty() && reduction.empty() && host.empty() && split.empty(); }
};

/// The attribute of `op`, empty where it has none or one of another form.
TilingConfig readTilingConfig(mlir::Operation *op);

/// `sizes`, where they are one for each of `loops` loops; else none.
llvm::SmallVector<int64_t> sizesForLoops(llvm::ArrayRef<int64_t> sizes, size_t loops);

/// Sets the attribute; an empty config removes it.
void writeTilingConfig(mlir::Operation *op, const TilingConfig &config);

} // namespace fuselage
