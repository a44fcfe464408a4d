// Runs IR of any level on what a reference got: tensors, buffers, loops, kernels, LLVM's dialect.
#pragma once
#include "core/run/HostCheck.h"
#include "core/runtime/host/HostCode.h"

namespace fuselage {

/// What IR of a level computed.
struct LevelRun {
  std::vector<HostTensor> outputs{};
  /// Why the program is wrong whatever it computed: it stopped, or its threads race or leave their memory.
  std::string fault{};
};

/// Whether the function takes and gives tensors and scalars alone, and its body has no buffers, so that
/// HostReference::check() runs it.
bool isOnTensors(mlir::ModuleOp module, llvm::StringRef function);

/// Runs the reference's function of a module that is below tensors: kernels on the emulator, all else compiled for the
/// host, in a copy of the process. Failure: it cannot be run here, and why; so is a program that is too long for the
/// emulator.
llvm::Expected<LevelRun> runBelowTensors(mlir::ModuleOp module, const HostReference &reference);

/// IR of any level without kernels as machine code.
struct CompiledLevel {
  std::unique_ptr<HostCode> code;
  std::string function; ///< takes the reference's arguments
};
llvm::Expected<CompiledLevel> compileLevel(mlir::ModuleOp module, const HostReference &reference);

} // namespace fuselage
