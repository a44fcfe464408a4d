// A tile to start from if no device is known.
#pragma once
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// Returns the tile of GenericGpuStrategy for loops over `ranges`; ShapedType::kDynamic for a
/// dynamic loop that stays whole.
llvm::SmallVector<int64_t> suggestedTile(mlir::TilingInterface op, llvm::ArrayRef<int64_t> ranges);

} // namespace fuselage
