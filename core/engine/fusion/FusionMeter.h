// What modules take on a device: by it fusions are measured, and what is predicted of the device learns from it.
#pragma once
#include "core/analysis/fusion/FuseAll.h"
#include "core/engine/fusion/DispatchBench.h"
#include "core/ir/Session.h"
#include "core/run/Run.h"
#include "core/run/RunProgram.h"
#include "core/run/peaks/SampleCache.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

class FusionMeter {
public:
  /// Failure: there is no such device here.
  static llvm::Expected<FusionMeter> make(Session &session, RunOptions options, const FusionPolicy &policy,
                                          SampleCache cache = SampleCache());

  /// What was known of the device when this was made.
  const DeviceRates &rates() const { return rates_; }
  /// What the launches of one pass over the function take in two modules: the sum of their medians. All of it is
  /// dispatched, as by the policy. A dispatch counts as often as it is called, and is read alone, on inputs of its own:
  /// those that both modules have as often once, the others by turns, from two to five times, until the modules differ
  /// by more than readings of one dispatch. Where calls cannot be counted, or a dispatch does not run alone, whole runs
  /// are read instead. Failure: as runModule, or a result is wrong there.
  llvm::Expected<TimedPair> compare(mlir::ModuleOp one, mlir::ModuleOp other);
  /// Keeps what the dispatches took that were timed, and what the fusion gained.
  llvm::Error keep(const FuseAllResult &result) const;

  /// Something that is read by itself: a dispatch, or a program as a whole.
  struct Unit {
    unsigned calls = 1;
    mlir::func::FuncOp dispatch{}; ///< null: the whole
  };

private:
  /// A module in the units that it is read in, by what they are.
  struct Side {
    mlir::OwningOpRef<mlir::ModuleOp> module{}; ///< dispatched
    RunProgram program{};
    llvm::StringMap<Unit> units{};
  };
  llvm::Expected<Side> sideOf(mlir::ModuleOp module);
  void takeWhole(Side &side);
  llvm::Expected<TimedPair> compare(const Side &one, const Side &other);
  llvm::Error readRound(const Side &one, const Side &other);
  llvm::Error read(const Side &side, llvm::StringRef key);
  llvm::Expected<RunReport> readDispatch(const Side &side, llvm::StringRef key);
  llvm::Expected<RunReport> readWhole(const Side &side);
  double usOf(const Side &side) const;
  double noiseOf(const Side &side, const Side &other) const;
  FusionMeter(Session &session, RunOptions options, FusionPolicy policy, SampleCache cache, DeviceInfo info)
      : session_(&session), options_(std::move(options)), policy_(std::move(policy)), cache_(std::move(cache)),
        info_(std::move(info)) {}
  void remember(const RunReport &report);

  Session *session_;
  RunOptions options_;
  FusionPolicy policy_;
  SampleCache cache_;
  DeviceInfo info_;
  DeviceRates rates_;
  std::vector<message::DispatchSample<>> samples_;
  std::unique_ptr<DispatchBench> bench_;
  bool readsWhole_ = false;                       ///< a dispatch could not be read alone
  llvm::StringMap<std::vector<double>> readings_; ///< of units, in microseconds, the least first
};

} // namespace fuselage
