// Really tiles an op, in a copy, and keeps what each interface method made.
#pragma once
#include "core/protocol/Tiles.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

/// What one call of an interface method made.
using TileTraceEvent = message::TileEvent<>;
using TileTrace = message::TileTrace<>;

/// Tiles with stock scf::tileConsumerAndFuseProducersUsingSCF on a copy of the function around `op`;
/// `sizes` by loop, 0 for whole; `order` loops from outer to inner, empty for the op's own. `fuses`:
/// whether a producer (an op of the original) is fused. `nameOf`: of values of the original.
/// Failure: the op has no TilingInterface, or upstream refuses; what it said is in the diagnostics.
llvm::Expected<TileTrace> traceTiling(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                                      llvm::function_ref<bool(mlir::Operation *)> fuses,
                                      llvm::function_ref<std::string(mlir::Value)> nameOf);

} // namespace fuselage
