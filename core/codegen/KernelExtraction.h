// Reads launches and binaries out of a lowered module.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/executable/CompiledDispatch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// `module` went through the lower pipeline; `function` is the dispatch in it, its results output
/// parameters after its arguments. Failure: a launch whose size or buffers are not known, a kernel
/// that calls something the device does not have.
llvm::Expected<CompiledDispatch> extractKernels(mlir::ModuleOp module, mlir::func::FuncOp function);

} // namespace fuselage
