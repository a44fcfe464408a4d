// Derives the tiles of the producers in a kernel from the tile of its root.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace fuselage {

/// One op computed inside a kernel. An op has two instances if two consumers read different tiles of it.
struct TileInstance {
  static constexpr int whole = -1;  ///< the loop does not depend on the workgroup
  static constexpr int window = -2; ///< it does, but tiles overlap or are cut (windows, padding)

  mlir::Operation *op = nullptr;
  llvm::SmallVector<int> follows;    ///< by loop: the root's loop that it follows, or one of the above
  llvm::SmallVector<int64_t> extent; ///< by loop: iterations in one workgroup; kDynamic if unknown
  llvm::SmallVector<int64_t> step;   ///< the same in one step of the serial loop that it can be fused into
  llvm::SmallVector<int64_t> cuts;   ///< its own serial steps (see TargetStrategy::reductionSteps)
  bool inPlace = false;              ///< it only initializes the accumulator of its consumer

  mlir::TilingInterface tiling() const { return llvm::cast<mlir::TilingInterface>(op); }
  /// Bytes of its results for one workgroup; dynamic extents count as 1.
  int64_t resultBytes() const;
  /// Bytes of the inputs of a contraction that are promoted to workgroup memory.
  int64_t promotedBytes(llvm::function_ref<bool(mlir::Operation *)> isInKernel) const;
};

/// Returns the instances of `root` (first) and, transitively, of its producers that can be computed tile by tile: ops
/// of `candidates` (in block order) that are not in `roots`. `rootTile`: iterations by loop of the root, 0 for all.
std::vector<TileInstance> tileInstances(mlir::TilingInterface root, llvm::ArrayRef<int64_t> rootTile,
                                        llvm::ArrayRef<mlir::TilingInterface> candidates,
                                        const llvm::SmallPtrSetImpl<mlir::Operation *> &roots,
                                        const TargetStrategy &strategy);

/// True if an input of `op` is computed by an elementwise op in the same workgroup.
bool hasFusedInput(mlir::linalg::LinalgOp op);

/// True if a tile of a contraction reads `input` more than once. `tile`: by loop.
bool isReused(mlir::OpOperand &input, llvm::ArrayRef<int64_t> tile);

} // namespace fuselage
