// The registers that loops hold results in.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {

/// Registers of 32 bits that a thread carries through a loop.
int64_t registersCarriedBy(mlir::scf::ForOp loop);
/// The same with what the loop inside of it that carries the most carries besides.
int64_t registersHeldIn(mlir::scf::ForOp loop);

/// Registers of results from which on a thread has few for anything else.
inline constexpr int64_t kFullOfResults = 64;

} // namespace fuselage
