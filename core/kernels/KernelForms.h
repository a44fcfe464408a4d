// What each target adds to the code of a dispatch. Internal to core/kernels.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/executable/CompiledDispatch.h"
#include "core/kernels/CapturedForms.h"
#include "core/kernels/KernelCodeOptions.h"
#include "core/protocol/KernelCode.h"

namespace fuselage {

/// The code that is being put together, and the kernels that it is about, in the order of `code.kernels`.
struct KernelCodeParts {
  message::KernelCode<> &code;
  const CompiledDispatch &compiled;
  const CapturedForms &forms;
  const TargetOptions &target;
  const KernelCodeOptions &options;
};

/// What code is made for: a device of that chip, or any device of Vulkan's.
llvm::Expected<TargetOptions> targetOptionsOf(const KernelCodeOptions &options);

llvm::Error addSpirvForms(KernelCodeParts &parts);
llvm::Error addPtxForms(KernelCodeParts &parts);
/// Compiles for the host as a run does.
llvm::Error addHostForms(message::KernelCode<> &code, mlir::func::FuncOp dispatch);

/// What a thread moves to and from global memory, counted from the loops of each launch; none where a loop's rounds are
/// not known.
void addTraffic(KernelCodeParts &parts);

/// Bank conflicts and uncoalesced accesses of each launch, evaluated from its index arithmetic; none for devices that
/// run on a processor, which have no banks.
void addAccessFacts(KernelCodeParts &parts);

/// A tool that failed leaves a listing out: says why. Failure: it was cancelled.
llvm::Error noteFailure(message::KernelCode<> &code, llvm::StringRef what, llvm::Error error,
                        const KernelCodeOptions &options);

} // namespace fuselage
