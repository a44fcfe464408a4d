// Writes planned loops as a function.
#pragma once
#include "core/runtime/kernels/LoopPlan.h"
#include "core/runtime/kernels/ParallelCalls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// What a structured op became.
struct EmittedLoops {
  mlir::func::FuncOp tasks, all; ///< see ParallelCall
  llvm::SmallVector<mlir::Value> arguments; ///< of `all`
};

/// Adds a function of the tasks, and one that stands for all of them, to the module. The op itself stays.
EmittedLoops emitLoops(const LoopKernel &kernel, const LoopPlan &plan, mlir::ModuleOp module, llvm::StringRef name);

} // namespace fuselage
