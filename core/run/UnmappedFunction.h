// What a schedule left on tensors, as kernels by the default pipeline.
#pragma once
#include "core/codegen/Codegen.h"

namespace fuselage {

/// Forms dispatches of the function as the default pipeline does, where those that the schedule made stay, and compiles
/// it where it is one dispatch. Buffers are numbered by the function's own arguments and results. Failure: it is none
/// or several, or cannot be compiled.
llvm::Expected<CompiledDispatch> compileUnmapped(mlir::func::FuncOp function, const TargetOptions &options);

} // namespace fuselage
