// A module's variables as arguments and constants.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// Whether a function reads variables that `liftGlobals` can do away with.
bool hasGlobals(mlir::ModuleOp module);

/// Loads of `util.global`, `flow.variable` and `ml_program.global` that nothing stores into: where the module says
/// the value, it is a constant; else it is a weight that somebody provides, an argument after the function's own with
/// the attribute fuselage.parameter (Parameters.h) and the weight's name. In functions that nothing calls;
/// variables that are not needed any more go.
void liftGlobals(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> entries);

} // namespace fuselage
