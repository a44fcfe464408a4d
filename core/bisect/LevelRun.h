// Runs IR of any level on what a reference got: tensors, buffers, loops, kernels, LLVM's dialect, SPIR-V and PTX.
#pragma once
#include "core/bisect/LevelResult.h"
#include "core/run/HostCheck.h"
#include "core/runtime/host/HostCode.h"
#include <functional>

namespace fuselage {

/// How what IR computed compares with what a reference expects.
struct LevelCheck {
  HostCheck check{};
  std::string fault{}; ///< as LevelRun has it
  bool isRight() const { return fault.empty() && check.ok; }
};

/// Runs the reference's function of a module of any level, as often as there are references, and compiles it once:
/// they differ in the values of their inputs alone. Tensors, loops, buffers, vectors and LLVM's dialect are compiled
/// for the host, gpu.launch ops run on the emulator, SPIR-V and PTX on a device. All of it runs in copies of the
/// process. The module outlives the object.
class LevelChecker {
public:
  /// `flops`: of the reference (estimateHostFlops()), by which it is known what takes too long; -1: unknown.
  explicit LevelChecker(mlir::ModuleOp module, int64_t flops = -1) : module_(module), flops_(flops) {}

  /// Failure: it cannot be run here, and why; so is a program that is too long for the emulator.
  llvm::Expected<LevelCheck> check(const HostReference &reference);
  /// The last run took so long that others are not worth it: the emulator had much to check.
  bool isSlow() const { return isSlow_; }

private:
  using Run = std::function<llvm::Expected<LevelRun>(const HostReference &reference)>;
  llvm::Expected<Run> prepare(const HostReference &reference);
  llvm::Expected<Run> prepareForEmulator(const HostReference &reference);

  mlir::ModuleOp module_;
  int64_t flops_;
  std::optional<bool> isOnTensors_;
  Run run_;
  bool isSlow_ = false;
};

/// IR of any level without kernels as machine code.
struct CompiledLevel {
  std::unique_ptr<HostCode> code;
  std::string function; ///< takes the reference's arguments
};
llvm::Expected<CompiledLevel> compileLevel(mlir::ModuleOp module, const HostReference &reference);

} // namespace fuselage
