// From functions on tensors to LLVM's dialect, by the passes of Passes.td and stock ones.
#pragma once
#include "core/codegen/host/Passes.h"
#include "core/codegen/host/kernels/HostKernels.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {

/// In place: every flow.dispatch.region's body moves to where the region stood.
void inlineDispatchRegions(mlir::Operation *root);

struct TensorLowering {
  bool wideAccumulators = false; ///< as HostCompileOptions has it
  /// HostKernels.h take operands as they are, so that few are laid out anew; false: there are none.
  bool kernels = false;
};

/// In place: the first part of lowerTensorsToMemRefs(), up to the ops of which blockRows() makes loops over blocks of
/// rows.
llvm::Error prepareTensors(mlir::ModuleOp module, const TensorLowering &options);

/// In place: functions on tensors become functions on identity-layout memrefs. Arguments of public
/// functions are not written. Ops keep their order of accumulation; nothing is fused.
llvm::Error lowerTensorsToMemRefs(mlir::ModuleOp module, const TensorLowering &options);

/// In place: functions on memrefs become LLVM's dialect. Allocations call
/// `_mlir_memref_to_llvm_{alloc,aligned_alloc,free}`; outer loops call host::kPoll (HostSymbols.h). What `threads` says
/// comes first, and is told in `made`.
llvm::Error lowerMemRefsToLlvm(mlir::ModuleOp module, HostThreading threads, HostKernels &made);

/// All passes from functions on tensors to LLVM's dialect, with kernels for the module's device if that is a host, else
/// for this machine.
void buildLowerToHost(mlir::OpPassManager &passes);
/// Registers that as `fuselage-lower-to-host`; call once per process (core/registration).
void registerHostPipelines();

/// The pass fuselage-host-make-kernels; `made`, which outlives it, takes what was made.
std::unique_ptr<mlir::Pass> createHostMakeKernelsPass(const HostMakeKernelsPassOptions &options, HostKernels &made);

} // namespace fuselage
