// The step of a recording that made dispatches: what is fused was decided in it.
#pragma once
#include "core/stepping/record/Recording.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Goes back from a snapshot to the step before which there are no dispatches; null: none formed them. `module`
/// gives the IR of a snapshot. Failure: it has none.
llvm::Expected<const Step *> findFormingStep(const Recording &recording, unsigned snapshot,
                                             llvm::function_ref<llvm::Expected<mlir::ModuleOp>(unsigned)> module);

} // namespace fuselage
