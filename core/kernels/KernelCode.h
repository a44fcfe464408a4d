// The code of a dispatch's kernels for a target, stage by stage, with what can be told of it.
#pragma once
#include "core/kernels/KernelCodeOptions.h"
#include "core/protocol/KernelCode.h"
#include "core/run/DefaultSizes.h"
#include "core/run/RunProgram.h"

namespace fuselage {

/// A program whose dispatches can be looked at: those that the module has, and of other ops, as a run forms them. Works
/// on a copy. `function` empty: the first public one; sizes that are missing are chosen as a run does, with a remark.
llvm::Expected<RunProgram> formKernelProgram(mlir::ModuleOp module, llvm::StringRef function, ArgumentSizes sizes,
                                             std::vector<Diagnostic> &remarks);

/// Compiles the dispatch and shows it at every stage. Tools of others (spirv-dis, spirv-cross, ptxas, nvdisasm,
/// cuobjdump) are asked where they are installed; what they would give is named in `missing` where they are not.
/// Failure: the dispatch cannot be compiled for the target, the chip is unknown, or a cancel.
llvm::Expected<message::KernelCode<>> kernelCode(mlir::func::FuncOp dispatch, const KernelCodeOptions &options);

/// "ptx", or whatever of the stages is the target's own.
llvm::StringRef nativeStage(KernelForm form);
/// Whether there may be listings of that stage for the target.
bool hasStage(KernelForm form, llvm::StringRef stage);
/// ".ptx", what files of the stage are called.
llvm::StringRef stageExtension(llvm::StringRef stage);

} // namespace fuselage
