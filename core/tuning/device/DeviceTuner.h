// Tunes a schedule or a dispatch on a device: a search over its space, whose trials run in a process of their own and
// go to a journal.
#pragma once
#include "core/tuning/device/TrialTeam.h"
#include "core/tuning/journal/Journal.h"

namespace fuselage::tune {

struct DeviceTunerOptions {
  TunerOptions search{};
  TrialEffort effort{};
  double trialSeconds = 60; ///< of one trial, after which it counts as hanging
  Journal *journal = nullptr;
  /// Other processes work on the journal at the same time: a trial that one of them makes is left to it, and the budget
  /// is of all of them together. A number of trials is kept exactly; a time may be exceeded by what each has under way.
  /// One finds the baseline, the others wait for that; each measures it beside its own trials.
  bool isJoint = false;
  TrialTeam *team = nullptr;          ///< who makes trials; null: copies of this process
  std::optional<DeviceInfo> device{}; ///< of the team, which was opened on the subject already; nullopt: it is opened
  std::string version{};              ///< of this program
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
  std::string unrecorded{}; ///< why the journal does not have the last one, which ended it; empty: it has all
};

/// `points` are of the subject's space. Where a copy of the calling process makes trials, that may not have threads
/// (TrialWorker.h). The baseline is what the space selects, else the first point that runs. Failure: the function
/// cannot be run at all, or there is no such device.
llvm::Expected<DeviceTuned> tuneOnDevice(const TuneSubject &subject, const PointSet &points,
                                         const DeviceTunerOptions &options);

/// What identifies the subject; device and driver are left out. `script` is null for a dispatch.
TrialKey keyOf(const TuneSubject &subject, mlir::ModuleOp script);

/// The device, as the team sees it: copies of this process where it is null, as this one stays without the threads of a
/// driver. A team is open on the subject then; see DeviceTunerOptions::device. Failure: there is none such.
llvm::Expected<DeviceInfo> lookAtDevice(const TuneSubject &subject, TrialTeam *team = nullptr);

} // namespace fuselage::tune
