// Ops that go over the same rows, one block of rows after the other.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on tensors: what reads the same rows again, such as the maximum, the sum and the quotient of a softmax,
/// becomes an scf.forall over blocks of rows that a cache of one processor holds, with all of it inside (see
/// tileAndFuse). Rows are the parallel loops that all of the ops have, sums included, so that nothing is computed
/// twice. Products and windows are left alone, and so is what somebody asks for sizes of.
void blockRows(mlir::ModuleOp module, const HostTarget &target);

} // namespace fuselage
