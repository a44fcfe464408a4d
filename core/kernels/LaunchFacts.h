// Bank conflicts and uncoalesced accesses of a launch, from its index arithmetic.
#pragma once
#include "core/protocol/KernelCode.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuselage {

/// Adds the facts "bank_conflicts", "uncoalesced" and "unknown_accesses", each where there are such accesses.
void addAccessFacts(message::KernelUnit<> &unit, mlir::gpu::LaunchOp launch);

} // namespace fuselage
