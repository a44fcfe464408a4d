// Runs the kernels of a dispatch on an emulated GPU: do its threads race, do they stay within memory, is the result
// right?
#pragma once
#include "core/kernels/KernelCode.h"
#include "core/protocol/KernelCheck.h"
#include <functional>

namespace fuselage {

struct KernelCheckOptions {
  KernelCodeOptions code{};        ///< which kernels: SPIR-V or PTX
  uint64_t seed = 1;               ///< of inputs, and of workgroups where not all are run
  uint64_t budget = 2'000'000'000; ///< see EmulationOptions
  std::function<void(unsigned done, unsigned total)> progress{};
};

/// Runs the launches that `dispatch` of `program` becomes, on random inputs, and compares the results with what the
/// host computes of the same. For PTX they are compiled up to the mapping only: whether NVIDIA's chips take them,
/// kernelCode() tells. Failure: it cannot be compiled, the emulator does not know an op of it, or a cancel.
llvm::Expected<message::KernelCheck<>> checkKernels(const RunProgram &program, mlir::func::FuncOp dispatch,
                                                    const KernelCheckOptions &options);

/// The same of a function on buffers that launches kernels itself, as it was written: there is nothing to compare with.
llvm::Expected<message::KernelCheck<>> checkWrittenKernels(mlir::func::FuncOp function,
                                                           const KernelCheckOptions &options);

/// Whether a function launches kernels itself.
bool launchesKernels(mlir::func::FuncOp function);

/// As the command line prints it.
std::string formatKernelCheck(const message::KernelCheck<> &check);

} // namespace fuselage
