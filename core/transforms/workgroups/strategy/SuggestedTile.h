// A tile to start from, where nobody has named a device.
#pragma once
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// The tile that a pipeline for any GPU would start from, of loops over `ranges`; of a dynamic one that stays whole,
/// the range.
llvm::SmallVector<int64_t> suggestedTile(mlir::TilingInterface op, llvm::ArrayRef<int64_t> ranges);

} // namespace fuselage
