// What this engine makes trials of, for a process that tunes somewhere else.
#pragma once
#include "core/ir/Session.h"
#include "core/tuning/device/TrialMaker.h"

namespace fuselage {

/// A subject with its own session, and the copy of this process that measures its points.
class ServedTrials {
public:
  /// A subject of which only the device is known so far.
  explicit ServedTrials(const std::string &device);
  /// Reads the function. Failure: it does not parse, or only in part.
  llvm::Error read(llvm::StringRef payload);
  /// What more there is to know of the subject; before open().
  tune::TuneSubject &subject() { return subject_; }

  /// Failure: there is no such device, or the copy ends.
  llvm::Expected<DeviceInfo> open(const std::atomic<bool> &cancelled);
  /// Failure: the function or the device itself is why there can be no trial.
  llvm::Expected<tune::Measurement> measure(const tune::TrialRequest &request, const std::atomic<bool> &cancelled);

private:
  Session session_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  tune::TuneSubject subject_;
  std::unique_ptr<tune::TrialMaker> maker_ = tune::TrialMaker::copy();
};

} // namespace fuselage
