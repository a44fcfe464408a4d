// Writes planned loops as a function.
#pragma once
#include "core/codegen/host/kernels/LoopPlan.h"
#include "core/codegen/host/kernels/TaskFunction.h"

namespace fuselage {

/// Adds a function of the tasks, and one that stands for all of them, to the module. The op itself stays.
TaskFunction emitLoops(const LoopKernel &kernel, const LoopPlan &plan, mlir::ModuleOp module, llvm::StringRef name);

} // namespace fuselage
