// From functions on tensors to LLVM's dialect, with stock passes.
#pragma once
#include "core/codegen/host/kernels/HostKernels.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place: every flow.dispatch.region's body moves to where the region stood.
void inlineDispatchRegions(mlir::Operation *root);

struct TensorLowering {
  bool wideSums = false; ///< as HostProgramOptions has it
  bool kernels = false;  ///< HostKernels.h take operands as they are, so that few are laid out anew
};

/// In place: functions on tensors become functions on identity-layout memrefs. Arguments of public
/// functions are not written. Ops keep their order of accumulation; nothing is fused.
llvm::Error lowerTensorsToMemRefs(mlir::ModuleOp module, const TensorLowering &options);

/// In place: functions on memrefs become LLVM's dialect. Allocations call
/// `_mlir_memref_to_llvm_{alloc,aligned_alloc,free}`; outer loops call `pollFunction`. What `threads` says comes first,
/// and is told in `made`.
llvm::Error lowerMemRefsToLlvm(mlir::ModuleOp module, llvm::StringRef pollFunction,
                               HostThreading threads = HostThreading::None, HostKernels *made = nullptr);

} // namespace fuselage
