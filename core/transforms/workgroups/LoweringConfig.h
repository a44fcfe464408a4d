// Reads the tile sizes that other compilers wrote on an op.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace fuselage {

/// Tile sizes by level, outermost first, and in a level by loop; 0 leaves a loop whole. IREE prints
/// them as `lowering_config = #iree_codegen.lowering_config<tile_sizes = [[32, 128, 1, 32]]>`, in a
/// `compilation_info` around that, before 2022 as a dictionary with `tileSizes`, and for GPUs since
/// 2024 as `#iree_gpu.lowering_config<{reduction = [0, 0, 32], workgroup = [64, 64, 0]}>`.
using TileLevels = std::vector<llvm::SmallVector<int64_t>>;

/// Returns the tile sizes that `op` has in any of these forms, read as text if the dialect is unknown. Scalable sizes
/// such as `[4]` count as their number. Empty if there are none that can be read.
TileLevels readLoweringConfig(mlir::Operation *op);

} // namespace fuselage
