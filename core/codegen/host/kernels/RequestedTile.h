// What became of a requested tile.
#pragma once
#include "core/codegen/host/kernels/LoopPlan.h"

namespace fuselage {

/// The first tile of a structured op for whose kernel one was requested (TilingConfig::host); sizes by loop of the op,
/// 0 is a whole one.
struct RequestedTile {
  llvm::SmallVector<int64_t> ranges;    ///< of the op
  mlir::AffineMap written{};            ///< by what the op indexes its first result
  llvm::SmallVector<int64_t> task;      ///< of what a thread takes at once
  llvm::SmallVector<int64_t> registers; ///< of what is in registers at once, a part of a task
};

/// Nullopt where loops of `op` were joined into one, of which a tile is no box of them, or the kernel does not know
/// them.
std::optional<RequestedTile> requestedTileOf(mlir::linalg::LinalgOp op, const LoopKernel &kernel, const LoopPlan &plan);

} // namespace fuselage
