// How the tile of a root op determines the tiles of the ops that feed it.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace fuselage {

/// One op computed inside a kernel: an op has two instances where two consumers want different
/// tiles of it.
struct TileInstance {
  static constexpr int whole = -1;  ///< the loop does not move with the workgroup
  static constexpr int window = -2; ///< it moves, but tiles overlap or are cut (windows, padding)

  mlir::Operation *op = nullptr;
  llvm::SmallVector<int> follows;    ///< by loop: the root's loop that it moves with, or the above
  llvm::SmallVector<int64_t> extent; ///< by loop: iterations in one workgroup; kDynamic if unknown
  llvm::SmallVector<int64_t> step;   ///< the same inside the serial reduction loop it can move into
  llvm::SmallVector<int64_t> cuts;   ///< its own serial steps (see TargetStrategy::reductionSteps)
  bool inPlace = false;              ///< only initialises what its consumer accumulates into

  mlir::TilingInterface tiling() const { return llvm::cast<mlir::TilingInterface>(op); }
  /// Bytes of its results for one workgroup; dynamic extents count as 1.
  int64_t resultBytes() const;
  /// Bytes of those inputs of a contraction that are worth a copy in workgroup memory.
  int64_t promotedBytes(llvm::function_ref<bool(mlir::Operation *)> isInKernel) const;
};

/// The instances of `root` (first) and of everything that can be computed for its tiles: ops in
/// `candidates` (block order) that are not in `roots`, transitively. `rootTile`: iterations by loop
/// of the root, 0 for all.
std::vector<TileInstance> tileInstances(mlir::TilingInterface root, llvm::ArrayRef<int64_t> rootTile,
                                        llvm::ArrayRef<mlir::TilingInterface> candidates,
                                        const llvm::SmallPtrSetImpl<mlir::Operation *> &roots,
                                        const TargetStrategy &strategy);

/// True if an input of `op` is computed by an elementwise op in the same workgroup.
bool hasFusedInput(mlir::linalg::LinalgOp op);

/// True where an input of contraction `op` is read more than once a tile, given the tile by loop.
bool isReused(mlir::OpOperand &input, llvm::ArrayRef<int64_t> tile);

} // namespace fuselage
