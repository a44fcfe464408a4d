// Functions whose signature may change, for all cuts.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <vector>

namespace fuselage {

/// Functions with a body, in the order of the program.
std::vector<mlir::FunctionOpInterface> functionsOf(mlir::ModuleOp module);

/// Those that no symbol names, so that their signature may change.
std::vector<mlir::FunctionOpInterface> uncalledFunctionsOf(mlir::ModuleOp module);

/// The ends of a function's blocks that return from it.
std::vector<mlir::Operation *> returnsOf(mlir::FunctionOpInterface function);

} // namespace fuselage
