// Contractions with fewer tiles than the device has multiprocessors: whether several workgroups share the depth of each
// tile.
#pragma once
#include "core/transforms/workgroups/sizes/IterationSpace.h"

namespace fuselage {

/// Of the results that parts of a depth come to before they are added up, of all parts together.
constexpr int64_t mostPartialBytes = int64_t(32) << 20;

/// How workgroups share a contraction and its depth.
struct DepthSplit {
  llvm::SmallVector<int64_t> workgroup; ///< tile by loop, to be taken as it is; 0 for reduction loops
  llvm::SmallVector<int64_t> part;      ///< by loop: iterations of a reduction loop that a workgroup takes; 0: all
};

/// The split of `op` that it asks for (TilingConfig.h), or else the one with which `policy.processors` multiprocessors
/// are done first, its tile included; nothing where that is not worth a second kernel, which adds up what the parts
/// come to, and for ops whose sums cannot be taken apart (see canAddParts).
std::optional<DepthSplit> chooseSplit(mlir::linalg::LinalgOp op, const TilingPolicy &policy);

} // namespace fuselage
