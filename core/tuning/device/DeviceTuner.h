// Tunes a schedule or a dispatch on a device: searches its space with trials in separate processes, and records them in
// a journal.
#pragma once
#include "core/tuning/device/TrialTeam.h"
#include "core/tuning/journal/Journal.h"

namespace fuselage::tune {

struct DeviceTunerOptions {
  TunerOptions search{};
  TrialEffort effort{};
  double trialSeconds = 60; ///< time limit of one trial; longer ones count as hung
  Journal *journal = nullptr;
  /// Other processes use the journal at the same time. Each trial is made by one of them, and they share the budget: a
  /// number of trials is kept exactly, a time may be exceeded by one trial of each process. One process finds the
  /// baseline while the others wait; each measures it in turns with its own trials.
  bool isJoint = false;
  TrialTeam *team = nullptr;          ///< makes the trials; null: copies of this process do
  std::optional<DeviceInfo> device{}; ///< the team's device, if the team is open on the subject already
  std::string version{};              ///< of this program
  std::function<void(const std::string &note)> note{};
};

struct DeviceTuned {
  Tuned tuned;
  TrialKey key;
  DeviceInfo device;
  std::optional<Point> baseline{};        ///< the point that others are compared with; nullopt: no point ran
  Measurement confirmed{};                ///< the best point, measured again in turns with the baseline
  Speedup speedup{};                      ///< of `confirmed`
  bool isFaster = false;                  ///< the best point is faster than the baseline, beyond the noise
  std::map<TrialStatus, size_t> counts{}; ///< of the trials of this run, by status
  std::vector<Trial> trials{};            ///< of this run, as the journal has them
  std::string unrecorded{}; ///< why the last trial could not be recorded, which ended the run; empty: all are
};

/// Tunes over `points`, which are points of the subject's space. The baseline is the selected point of the space, or
/// else the first point that runs. If copies of the calling process make trials, the process must not have threads
/// (TrialWorker.h). Fails if the function cannot be run at all, or there is no such device.
llvm::Expected<DeviceTuned> tuneOnDevice(const TuneSubject &subject, const PointSet &points,
                                         const DeviceTunerOptions &options);

/// The key of the subject without device and driver. `script` is null for a dispatch.
TrialKey keyOf(const TuneSubject &subject, mlir::ModuleOp script);

/// The device of the team, which is open on the subject afterwards (see DeviceTunerOptions::device). If `team` is null,
/// a copy of this process looks at the device, so that this one gets no threads of a driver. Fails if there is no such
/// device.
llvm::Expected<DeviceInfo> lookAtDevice(const TuneSubject &subject, TrialTeam *team = nullptr);

} // namespace fuselage::tune
