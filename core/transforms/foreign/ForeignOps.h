// Finding ops of dialects that nobody here defines.
#pragma once
#include "core/ir/ops/CollectOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether it is an op of that name, as its author wrote it, in whichever form the reader keeps it.
bool isForeign(mlir::Operation *op, llvm::StringRef name);
/// Whether its name begins so: "hal." for all of a dialect.
bool isForeignOf(mlir::Operation *op, llvm::StringRef prefix);

/// Whether a type is written so, with or without parameters: "!hal.fence".
bool isTypeNamed(mlir::Type type, llvm::StringRef name);

/// Removes foreign ops without users that are known to do nothing else, and what only they used: sizes, fences,
/// casts, constants. Arguments stay.
void eraseDeadForeignOps(mlir::Operation *root);

} // namespace fuselage
