// What modules take on a device: by it fusions are measured, and what is predicted of the device learns from it.
#pragma once
#include "core/analysis/fusion/FuseAll.h"
#include "core/ir/Session.h"
#include "core/runtime/roofs/SampleCache.h"
#include "core/runtime/run/Run.h"

namespace fuselage {

class FusionMeter {
public:
  /// Failure: there is no such device here.
  static llvm::Expected<FusionMeter> make(Session &session, RunOptions options, const FusionPolicy &policy, SampleCache cache = SampleCache());

  /// What was known of the device when this was made.
  const DeviceRates &rates() const { return rates_; }
  /// The median times of all launches of a function together, in microseconds. All of it is dispatched, as by the policy.
  /// Failure: as runModule, or a result is wrong there.
  llvm::Expected<double> time(mlir::ModuleOp module);
  /// Keeps what the dispatches took that were timed, and what the fusion gained.
  llvm::Error keep(const FuseAllResult &result) const;

private:
  FusionMeter(Session &session, RunOptions options, FusionPolicy policy, SampleCache cache, DeviceInfo info)
      : session_(&session), options_(std::move(options)), policy_(std::move(policy)), cache_(std::move(cache)), info_(std::move(info)) {}
  void remember(const RunReport &report);

  Session *session_;
  RunOptions options_;
  FusionPolicy policy_;
  SampleCache cache_;
  DeviceInfo info_;
  DeviceRates rates_;
  std::vector<message::DispatchSample<>> samples_;
};

} // namespace fuselage
