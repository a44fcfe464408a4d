// A small program of ours, compiled and launched as every dispatch.
#pragma once
#include "core/run/DispatchRunner.h"
#include "core/run/RunProgram.h"
#include "core/run/peaks/MicroModules.h"

namespace fuselage {

/// How a micro-kernel is timed.
struct MicroTiming {
  unsigned launches = 7; ///< at the most
  double seconds = 0.5;  ///< for all of them
  bool coldCaches = false;
};

/// What came of it, in microseconds by the clock that times of dispatches have.
struct MicroTimes {
  std::vector<double> samples;
  double submitUs = -1; ///< around a launch, the median; -1: there is no submission, as on the host
  Clock clock = Clock::Host;
  std::string cold{};
  double least() const;
};

/// Keeps its inputs and what is compiled, so that it can be timed again.
class MicroKernel {
public:
  /// Compiles for the device. Every element of the input is `input`, every element of
  /// the result has to be `expected`, up to one part in a hundred. Failure: it does not compile, or the device does not
  /// take it.
  static llvm::Expected<std::unique_ptr<MicroKernel>> make(mlir::MLIRContext &context, Device &device,
                                                           const MicroModule &module, double input, double expected,
                                                           const std::atomic<bool> *cancelled);
  /// Failure: as of a run, or the result is wrong.
  llvm::Expected<MicroTimes> time(const MicroTiming &timing);
  const MicroModule &module() const { return module_; }

private:
  MicroKernel(Device &device, MicroModule module, double expected)
      : device_(device), module_(std::move(module)), expected_(expected) {}
  llvm::Error makeInput(mlir::Type type, double value);
  llvm::Error check(const RuntimeValue &result) const;

  Device &device_;
  MicroModule module_;
  double expected_;
  RunOptions options_;
  std::vector<Diagnostic> remarks_;
  RunProgram program_;
  std::vector<RuntimeValue> arguments_;
  std::unique_ptr<DispatchRunner> runner_;
};

} // namespace fuselage
