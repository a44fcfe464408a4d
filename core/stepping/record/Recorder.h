// What records of passes and of transform ops have in common. Internal to core/stepping.
#pragma once
#include "core/ir/module/IrFingerprint.h"
#include "core/rewrites/ContentHash.h"
#include "core/stepping/record/RecordedSteps.h"

namespace fuselage {

/// Builds a Recording step by step from a working module that is changed in place: keeps a copy
/// of it where a step changed it.
class Recorder {
public:
  /// The working module is a copy of `input`. `start` is snapshot 0, if it holds just that; else another copy is.
  Recorder(mlir::ModuleOp input, const RecordOptions &options, std::shared_ptr<const Snapshot> start = nullptr);

  /// The module to run on; gone once the last step has finished.
  mlir::ModuleOp working() const { return working_.get(); }
  /// Announces a step. `step` holds names and texts only. False: it is known to be deadly, and is recorded as failed.
  bool begin(Step step, unsigned total);
  /// Ends it well: compares, copies, reports. `milliseconds` is what the step itself took.
  void finish(double milliseconds, std::vector<Diagnostic> diagnostics);
  /// Makes the working module what it was before the open step.
  void startStepAgain();
  /// Puts another module in place of the working one, within a step.
  void replaceWorking(mlir::OwningOpRef<mlir::ModuleOp> module) {
    working_ = std::move(module);
    hashes_.forget();
  }
  /// What the passes of the steps before have left of the working module.
  PassHashes &hashes() { return hashes_; }
  /// What the open step did, rewrite by rewrite.
  void setRewrites(RewriteLog log);
  /// The IR before the open step, or before the next one.
  const std::shared_ptr<const Snapshot> &lastSnapshot() const { return recording_.snapshots.back(); }
  /// Ends it badly; the working module is not looked at again.
  void finishFailed(std::optional<double> milliseconds, std::vector<Diagnostic> diagnostics);
  bool hasOpenStep() const { return open_; }
  bool lastFailed() const { return !recording_.steps.empty() && recording_.steps.back().failed; }
  size_t stepCount() const { return recording_.steps.size(); }
  bool cancelled() const { return options_.cancelled && *options_.cancelled; }
  Recording take() { return std::move(recording_); }

private:
  /// The fingerprint of the working module, and a copy of it; null: it is what it was before the step.
  mlir::OwningOpRef<mlir::ModuleOp> copyChanged(IrFingerprint &now);
  void close(Step &step, std::optional<double> milliseconds, std::vector<Diagnostic> diagnostics);
  void traceStep(const Step &step) const;

  const RecordOptions &options_;
  mlir::OwningOpRef<mlir::ModuleOp> working_;
  IrFingerprint last_;
  PassHashes hashes_;
  Recording recording_;
  unsigned total_ = 0;
  bool open_ = false;
  double traceStart_ = 0; ///< of the step, in the trace of the process
};

/// The Failure of a recording that was cancelled.
llvm::Error cancelledError();

/// Records the transform script at `options.schedule`.
llvm::Expected<Recording> recordSchedule(Session &session, mlir::ModuleOp input, const RecordOptions &options);

} // namespace fuselage
