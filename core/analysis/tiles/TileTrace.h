// Really tiles an op, in a copy, and keeps what each interface method made.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

/// What one call of an interface method made.
struct TileTraceEvent {
  std::string method{}; ///< "getTiledImplementation", "generateResultTileValue", ...
  std::string about{};  ///< a sentence: what it is asked for
  std::string opName{}; ///< of the op whose method it is
  std::string value{};  ///< the result of the original op that the slice is of, as TileTrace::names has it
  std::string slice{};  ///< the tensor.extract_slice that asked for it; empty: none
  std::vector<std::string> maps{}; ///< indexing maps of the op
  std::vector<std::string> ir{};   ///< the ops it made, a line each (loops: their heads)
};

struct TileTrace {
  std::vector<TileTraceEvent> events;
  std::string function; ///< the function as it is in the end
};

/// Tiles with stock scf::tileConsumerAndFuseProducersUsingSCF on a copy of the function around `op`;
/// `sizes` by loop, 0 for whole; `order` loops from outer to inner, empty for the op's own. `fuses`:
/// whether a producer (an op of the original) is fused. `nameOf`: of values of the original.
/// Failure: the op has no TilingInterface, or upstream refuses; what it said is in the diagnostics.
llvm::Expected<TileTrace> traceTiling(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                                      llvm::function_ref<bool(mlir::Operation *)> fuses,
                                      llvm::function_ref<std::string(mlir::Value)> nameOf);

} // namespace fuselage
