// Things that schedules, or the default pipeline, make of one function, launched in turns on the same inputs.
#pragma once
#include "core/run/Run.h"

namespace fuselage {

/// A function, its inputs, and what it computes. Not thread-safe.
class FunctionBench {
public:
  /// What became of the function in one module, made ready to run.
  class Candidate;

  /// Who makes kernels of the function: a schedule, which left it with its launches or loops, or the default pipeline,
  /// of a dispatch.
  enum class Kernels { OfSchedule, OfDispatch };

  /// Makes inputs as `options` says (for a schedule see runScheduled, else as runModule does) and computes the
  /// reference. `before` is kept by the caller.
  static llvm::Expected<std::unique_ptr<FunctionBench>> create(mlir::ModuleOp before, const RunOptions &options,
                                                               Kernels kernels = Kernels::OfSchedule);
  ~FunctionBench();

  /// Compiles the function of the same name in `after`, and puts it on the device. The module is not needed any more
  /// then. Failure: it has another signature, cannot be compiled, or does not fit.
  llvm::Expected<std::shared_ptr<Candidate>> prepare(mlir::ModuleOp after);
  /// Launches it, as `counts` says; arguments are put there anew before each, as kernels may write to them. Failure:
  /// the launch fails or hangs.
  llvm::Error launch(Candidate &candidate, const RepeatCounts &counts);
  /// Launches it for one sample more. On the host each call is one of a fresh copy of the process, whose first launches
  /// pay for its memory and threads: the sample is the median of a few after those.
  llvm::Error sample(Candidate &candidate);
  /// What the launches so far took, and how the results of the last one compare with the reference.
  llvm::Expected<RunReport> report(Candidate &candidate);

  /// Launches it between what the options' baselines measure beside, and reports.
  llvm::Expected<RunReport> measure(Candidate &candidate, const RepeatCounts &counts);

  /// The sum over its kernels of each sample, in microseconds.
  static std::vector<double> samplesOf(const Candidate &candidate);
  /// Equal for candidates of which the device gets the same code, in the same shape; hexadecimal digits.
  static std::string fingerprintOf(const Candidate &candidate);
  const std::string &function() const;

private:
  FunctionBench();
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace fuselage
