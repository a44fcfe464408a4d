// The code of a dispatch's kernels for a target, stage by stage, with what can be told of it.
#pragma once
#include "core/codegen/Kernel.h"
#include "core/protocol/KernelCode.h"
#include "core/run/DefaultSizes.h"
#include "core/run/RunProgram.h"
#include "core/support/Error.h"
#include <atomic>
#include <optional>

namespace fuselage {

enum class KernelForm { Spirv, Ptx, Host };
inline constexpr const char *kernelFormNames[] = {"spirv", "ptx", "host"};

struct KernelCodeOptions {
  KernelForm form = KernelForm::Spirv;
  std::string chip = "sm_90"; ///< of PTX
  bool tf32 = false;          ///< see TargetOptions
  const std::atomic<bool> *cancelled = nullptr;
  std::optional<TargetOptions> target{}; ///< of a device; else what every device of the form, or the chip, has

  void setTarget(const TargetOptions &ofDevice);
  /// For a device that need not be here: a name of KnownDevices.h, or the file of one.
  llvm::Error setKnownDevice(llvm::StringRef nameOrPath);
};

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
