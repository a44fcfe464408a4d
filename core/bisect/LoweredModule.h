// Modules in LLVM's dialect that a user's pipeline made, as the host's runtime takes them.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place: calls of malloc, aligned_alloc and free become those of the runtime's arena.
void useHostAllocator(mlir::ModuleOp module);

} // namespace fuselage
