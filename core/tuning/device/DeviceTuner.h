// Tunes a schedule or a dispatch on a device: a search over its space, whose trials run in a process of their own and go to a journal.
#pragma once
#include "core/tuning/device/TrialTeam.h"
#include "core/tuning/journal/Journal.h"

namespace fuselage::tune {

struct DeviceTunerOptions {
  TunerOptions search{};
  TrialEffort effort{};
  double trialSeconds = 60; ///< of one trial, after which it counts as hanging
  Journal *journal = nullptr;
  /// Other processes work on the journal at the same time: a trial that one of them makes is left to it, and the budget is of all of them
  /// together, which it may be exceeded by what each has under way. Each measures the baseline itself.
  bool isJoint = false;
  TrialTeam *team = nullptr; ///< who makes trials; null: copies of this process
  std::string version{}; ///< of this program
  std::function<void(const std::string &note)> note{};
};

struct DeviceTuned {
  Tuned tuned;
  TrialKey key;
  DeviceInfo device;
  std::optional<Point> baseline{};        ///< what the others are compared with; nullopt: nothing could be run
  Measurement confirmed{};                ///< of the best point, measured again in turns with the baseline
  Speedup speedup{};                      ///< of that
  bool isFaster = false;                  ///< than the baseline, beyond the noise
  std::map<TrialStatus, size_t> counts{}; ///< of the trials that were made now
  std::vector<Trial> trials{};            ///< that were made now, as the journal has them
};

/// `points` are of the subject's space. Where a copy of the calling process makes trials, that may not have threads (TrialWorker.h).
/// The baseline is what the space selects, else the first point that runs. Failure: the function cannot be run at all, or there is no
/// such device.
llvm::Expected<DeviceTuned> tuneOnDevice(const TuneSubject &subject, const PointSet &points, const DeviceTunerOptions &options);

/// What identifies the subject; device and driver are left out. `script` is null for a dispatch.
TrialKey keyOf(const TuneSubject &subject, mlir::ModuleOp script);

/// The device, as the team sees it: copies of this process where it is null, as this one stays without the threads of a driver. Failure:
/// there is none such.
llvm::Expected<DeviceInfo> lookAtDevice(const TuneSubject &subject, TrialTeam *team = nullptr);

} // namespace fuselage::tune
