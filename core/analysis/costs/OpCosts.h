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

/// The floating-point operations of one op executed once, those of its regions included; -1: not known.
int64_t flopsOf(mlir::Operation *op);
/// flops of everything in the regions of a control-flow op, executed as often as known.
int64_t flopsInside(mlir::Operation *op);

/// How often the body of a loop runs; 1 for other region ops, -1 if unknown.
int64_t tripCount(mlir::Operation *op);

/// Whether a use fetches data: not shapes, destinations to overwrite, and free-standing memory.
bool readsData(mlir::OpOperand &use);

} // namespace fuselage
