// What an op costs: floating-point operations, and bytes through memory.
#pragma once
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// Bytes of a shaped type with static shape (sub-byte elements packed), also of one that describes
/// a tensor in a dialect we only read; nullopt when dynamic or not shaped.
std::optional<int64_t> byteSize(mlir::Type type);

/// Costs of one op executed once; -1 where a dynamic shape leaves it open.
/// flops: iteration domain size times the arithmetic ops of the payload (a fused multiply-add
/// counts 2), as in every roofline model. bytes: each distinct operand read once, each result
/// written once.
struct OpCost {
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
};
OpCost costOf(mlir::Operation *op);

/// The cost of a dispatch region, an outlined dispatch function or a kernel (costOfKernel): loops
/// count as often as they run, only values from outside are read (each once), only results that
/// escape are written.
OpCost costOfDispatch(mlir::Operation *dispatchRegion);

/// The same for ops of one block that would make up a dispatch.
OpCost costOfGroup(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace fuselage
