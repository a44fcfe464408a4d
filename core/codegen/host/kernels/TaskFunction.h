// Code of a module as a function of tasks.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace fuselage {

/// See ParallelCall.
struct TaskFunction {
  mlir::func::FuncOp tasks, all;
  llvm::SmallVector<mlir::Value> arguments; ///< of `all`
};

/// Adds both functions to the module. They take what `body` uses from around it, and `more`; constants are made again
/// inside. `inside` maps all of that, and the builder stands at the end of the tasks' function, which does nothing yet.
TaskFunction makeTaskFunction(mlir::OpBuilder &builder, mlir::ModuleOp module, llvm::StringRef name, mlir::Region &body,
                              llvm::ArrayRef<mlir::Value> more, mlir::IRMapping &inside);

} // namespace fuselage
