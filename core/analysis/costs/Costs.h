// What an op costs: floating-point operations, and bytes through memory.
#pragma once
#include "core/analysis/costs/ValueBytes.h"
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// Costs of one op executed once; -1 where a dynamic shape leaves it open.
/// flops: iteration domain size times the arithmetic ops of the payload (a fused multiply-add
/// counts 2), as in every roofline model. bytes: what is touched of each distinct operand read once
/// (OperandAccess.h), each result written once.
struct OpCost {
  int64_t flops = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  bool bytesAtMost = false; ///< data decides what is touched; it may be less

  int64_t bytes() const { return plus(bytesRead, bytesWritten); }
};
OpCost costOf(mlir::Operation *op);

/// The cost of a dispatch region, an outlined dispatch function or a kernel (costOfKernel): loops
/// count as often as they run, only values from outside are read (what is touched of each, once), only
/// results that escape are written.
OpCost costOfDispatch(mlir::Operation *dispatchRegion);

/// The same for ops of one block that would make up a dispatch, with producers that it computes again for
/// itself.
OpCost costOfGroup(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> clonedProducers = {});

/// How often the body of a loop runs; 1 for other region ops, -1 if unknown.
int64_t tripCount(mlir::Operation *op);

/// Whether a use fetches data: not shapes, destinations to overwrite, and free-standing memory.
bool readsData(mlir::OpOperand &use);

} // namespace fuselage
