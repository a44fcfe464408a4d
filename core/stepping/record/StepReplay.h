// Running a recorded step once more, to look inside.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/rewrites/RewriteWatch.h"
#include "core/stepping/record/Snapshot.h"

namespace fuselage {

/// What a watched run of a step gives.
struct WatchedStep {
  bool ok = true; ///< false: a pass failed, or what it left does not verify, as when the step was recorded
  RewriteLog log{};
  mlir::OwningOpRef<mlir::ModuleOp> captured{}; ///< see RewriteWatchOptions; null: it did not get that far
  mlir::OwningOpRef<mlir::ModuleOp> end{};      ///< null where it failed
};

/// How to run a step again, on a copy of the IR before it. Keeps that IR.
class StepReplay {
public:
  virtual ~StepReplay() = default;
  /// Failure: it cannot be run at all any more, such as a schedule whose file has changed.
  virtual llvm::Expected<WatchedStep> run(const RewriteWatchOptions &options) const = 0;
};

/// How the passes of a step ended.
struct PassesRun {
  bool ok = true;
  double milliseconds = 0;
  std::string said{}, failedPass{}; ///< if not ok
};

/// The passes of a step.
struct StepPasses {
  std::string pipeline;                ///< "builtin.module(...)"
  std::optional<DeviceModel> device{}; ///< attached to the module before they run
  /// What the last one leaves is verified; else after each pass.
  bool verifiesOnce = false;

  /// Runs them on every split of the module; `watch` may be null.
  PassesRun run(mlir::ModuleOp module, RewriteWatch *watch) const;
};

/// Runs passes again after `before`.
std::shared_ptr<const StepReplay> replayOf(std::shared_ptr<const Snapshot> before, StepPasses passes);

} // namespace fuselage
