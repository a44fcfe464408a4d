// Programs of JAX and TensorFlow in the dialects that all of Fuselage knows.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether there are ops of StableHLO, CHLO or MHLO in a module.
bool hasHloOps(mlir::ModuleOp module);

/// Replaces ops of StableHLO, CHLO and MHLO by those of linalg, tensor, arith, math, complex and scf, as StableHLO's
/// specification defines them. Integers become signless. An op that has no lowering here stays, with a remark that
/// says why.
void lowerHloOps(mlir::ModuleOp module);

} // namespace fuselage
