// A module's variables as arguments and constants.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// Whether the op reads a variable that `liftGlobals` may do away with.
bool isGlobalLoad(mlir::Operation *op);

/// Loads of `util.global`, `flow.variable` and `ml_program.global` that nothing stores into: where the module says
/// the value, it is a constant; else it is a weight that somebody provides, an argument after the function's own with
/// the attribute fuselage.parameter (Parameters.h) and the weight's name. In functions that nothing calls;
/// variables that are not needed any more go.
void liftGlobals(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> entries);

} // namespace fuselage
