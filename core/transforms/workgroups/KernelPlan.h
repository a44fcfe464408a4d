// Which ops of a dispatch become loops over workgroups of their own, which are computed inside
// those, and with which tiles. Decides; changes nothing.
#pragma once
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "llvm/ADT/MapVector.h"
#include <algorithm>
#include <vector>

namespace fuselage {

/// How the tile that one op of a kernel wants becomes that of the kernel's root.
struct TileRule {
  mlir::Operation *anchor = nullptr; ///< that op
  /// By its loops, how long what tiles are cut from is; 0: the kernel takes what it takes of the loop, whatever is
  /// wanted.
  llvm::SmallVector<int64_t> ranges;
  bool isTaken = false; ///< sizes are taken as they are, else rounded by pickTile
  LastTile last = LastTile::Short;
  int64_t multiple = 4;                 ///< of tiles that overlap (see pickTile)
  bool keepsResultsInRegisters = false; ///< the anchor's results take no workgroup memory

  int64_t tileOf(int64_t range, int64_t wanted) const {
    return isTaken ? std::min(range, wanted) : pickTile(range, wanted, last, multiple);
  }
};

/// One future scf.forall: its root is tiled, everything in `fused` is computed tile by tile inside.
struct KernelPlan {
  mlir::TilingInterface root;
  /// Tile by loop of the root; 0 for a loop that a workgroup walks as a whole.
  llvm::SmallVector<int64_t> workgroup;
  /// Last tiles start earlier, so that they are as large as the others (see OverlappingTiles.h).
  bool overlaps = false;
  /// By loop of the root: iterations of a reduction loop that one workgroup takes (see ChooseSplitK.h); empty: all.
  llvm::SmallVector<int64_t> split;
  /// Ops that are fused, in reverse block order; an op can be in several kernels (recompute).
  llvm::SmallVector<mlir::Operation *> fused;
  /// Serial steps of the kernel's ops with reductions, root included (see TargetStrategy::reductionSteps).
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<int64_t>> reductions;
  TileRule rule{};
  /// Intermediates and promoted operands of one workgroup; dynamic extents count as 1.
  int64_t workgroupBytes = 0;
};

/// What a user restricts.
struct PlanOptions {
  int64_t maxWorkgroupBytes = 0;  ///< that intermediates and promoted operands of a workgroup may take; 0: the device's
  bool splitsContractions = true; ///< where the device is done earlier so; what ops ask for is done in any case
};

/// Plans `body`, in block order of the roots.
///
/// An op becomes a root when its value is needed as a whole (it escapes, is reshaped, is read by
/// `tensor.extract`) and cannot be yielded out of its consumer's loop; when computing it tile by
/// tile would repeat a reduction (its consumer has tiled loops that it does not follow, or several
/// consumers want different tiles); or when its tiles would not fit into workgroup memory; and a
/// contraction does whose depth workgroups share (then what is behind it has to be planned again, behind the sum of
/// parts). All other ops are computed inside the kernels of their consumers. Loops that a fused reduction does not
/// follow stay whole, so that a row's sum is computed once, by the workgroup that has the row.
std::vector<KernelPlan> planKernels(mlir::Block &body, const TargetStrategy &strategy, const PlanOptions &options = {});

/// The op whose tile shapes the kernel of `dispatch`, a function or a region: of the heaviest kind, the last one among
/// equals. Null: there is none that is structured, whose sizes are known, and that is not in a loop over workgroups
/// already.
mlir::linalg::LinalgOp shapingOp(mlir::Operation *dispatch);

} // namespace fuselage
