// Casts to and from quantized types, which upstream's quant dialect writes as one op.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
}

namespace fuselage {

bool isQuantCast(mlir::Operation *op);
bool hasQuantCasts(mlir::ModuleOp module);

/// Adds upstream's passes that write `quant.dcast` and `quant.qcast` as arithmetic, and tensors of
/// quantized types as tensors of what these are stored in, arguments and results of functions among
/// them.
void addQuantLowering(mlir::OpPassManager &passes);

/// Casts of storage to a quantized type and back, which that leaves behind, go.
void foldStorageCasts(mlir::ModuleOp module);

} // namespace fuselage
