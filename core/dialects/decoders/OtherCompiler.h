// Modules that say what another compiler did: dumps of XLA (XlaOps.h), debug folders of torch.compile (InductorOps.h).
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// What cannot be done with such a module, and what to open instead; empty for other modules.
std::string readOnlyReason(mlir::ModuleOp module);
/// Failure: the module can be viewed and compared, but not stepped, fused, tuned or run.
llvm::Error refuseReadOnly(mlir::ModuleOp module);

} // namespace fuselage
