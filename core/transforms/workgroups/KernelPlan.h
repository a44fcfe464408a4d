// Plans the kernels of a dispatch: which ops become loops over workgroups, which ops are computed inside those loops,
// and with which tiles. Changes no IR.
#pragma once
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "llvm/ADT/MapVector.h"
#include <algorithm>
#include <vector>

namespace fuselage {

/// How the tile requested for one op of a kernel is rounded to a tile of the kernel's root.
struct TileRule {
  mlir::Operation *anchor = nullptr; ///< that op, which shapes the kernel
  /// By its loops: the range that tiles are cut from; 0: the requested size does not matter.
  llvm::SmallVector<int64_t> ranges;
  bool isTaken = false; ///< requested sizes are used as they are, else rounded by pickTile
  LastTile last = LastTile::Short;
  int64_t multiple = 4;                 ///< overlapping tiles are multiples of this (see pickTile)
  bool keepsResultsInRegisters = false; ///< the anchor's results take no workgroup memory

  int64_t tileOf(int64_t range, int64_t wanted) const {
    return isTaken ? std::min(range, wanted) : pickTile(range, wanted, last, multiple);
  }
};

/// One future scf.forall: its root is tiled, everything in `fused` is computed tile by tile inside.
struct KernelPlan {
  mlir::TilingInterface root;
  /// Tile by loop of the root; 0: the whole loop.
  llvm::SmallVector<int64_t> workgroup;
  /// The last tile of a loop starts earlier and overlaps, so that all have one size (see OverlappingTiles.h).
  bool overlaps = false;
  /// By loop of the root: iterations of a reduction loop that one workgroup takes (see ChooseSplitK.h); empty: all.
  llvm::SmallVector<int64_t> split;
  /// Ops that are fused, in reverse block order. An op can be in several kernels, which compute it again.
  llvm::SmallVector<mlir::Operation *> fused;
  /// Serial steps of the kernel's ops with reductions, root included (see TargetStrategy::reductionSteps).
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<int64_t>> reductions;
  TileRule rule{};
  /// Intermediates and promoted operands of one workgroup; dynamic extents count as 1.
  int64_t workgroupBytes = 0;
};

/// Limits that a user sets.
struct PlanOptions {
  int64_t maxWorkgroupBytes = 0;  ///< for intermediates and promoted operands of a workgroup; 0: those of the device
  bool splitsContractions = true; ///< split-K may be chosen; requested splits are made in any case
};

/// Plans `body`, in block order of the roots.
///
/// An op becomes a root in these cases:
/// - its value is needed as a whole (it escapes, is reshaped, is read by `tensor.extract`) and cannot be yielded out of
///   its consumer's loop;
/// - computing it tile by tile would repeat a reduction: its consumer has tiled loops that it does not depend on, or
///   several consumers need different tiles;
/// - its tiles would not fit into workgroup memory;
/// - it is a contraction with split-K. Its users have to be planned again, after the op that combines partial results.
/// All other ops are computed inside the kernels of their consumers. Loops of the root that a fused reduction does not
/// depend on stay whole, so that each reduction is computed once, by the workgroup that has its row.
std::vector<KernelPlan> planKernels(mlir::Block &body, const TargetStrategy &strategy, const PlanOptions &options = {});

/// Returns the op whose tile shapes the kernel of `dispatch`, a function or a region: the last one of the heaviest
/// WorkKind. Only structured ops of static sizes outside of loops over workgroups count; null if there is none.
mlir::linalg::LinalgOp shapingOp(mlir::Operation *dispatch);

} // namespace fuselage
