// Counts the registers in which loops carry results.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {

/// Registers of 32 bits that a thread carries through a loop.
int64_t registersCarriedBy(mlir::scf::ForOp loop);
/// The same, plus the registers of the inner loop that carries the most.
int64_t registersHeldIn(mlir::scf::ForOp loop);

/// With this many registers of results or more, a thread has few for anything else.
inline constexpr int64_t kFullOfResults = 64;

} // namespace fuselage
