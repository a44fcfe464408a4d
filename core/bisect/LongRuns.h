// Programs that take the host long.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace fuselage {

/// How long a search by the results of a function may take, and what to do about it; empty: not long. `function`: its
/// name; empty: the first public one with a body.
std::string noteOfLongRuns(mlir::ModuleOp input, llvm::StringRef function);

} // namespace fuselage
