// Running a recorded step once more, to look inside.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/rewrites/RewriteWatch.h"
#include "core/stepping/record/Snapshot.h"

namespace fuselage {

/// What a watched run of a step gives.
struct WatchedStep {
  /// False: a pass failed, or what it left does not verify, as when the step was recorded; or the run was cut short.
  bool ok = true;
  RewriteLog log{};
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> captured{}; ///< see RewriteWatchOptions
  mlir::OwningOpRef<mlir::ModuleOp> end{};                   ///< null where it failed, or did not run to its end
};

/// The IR between two passes of a step, where a run can be taken up.
struct ReplayPoint {
  unsigned part = 0;                         ///< of the step, that runs next
  unsigned ordinal = 0;                      ///< Rewrite::ordinal of the next rewrite
  std::vector<unsigned> functionOrdinals{};  ///< RewriteWatch::functionOrdinals()
  std::vector<mlir::StringAttr> functions{}; ///< of the ops of the module
  mlir::OwningOpRef<mlir::ModuleOp> module{};
};

/// How to run a step again, on a copy of the IR before it. Keeps that IR.
class StepReplay {
public:
  virtual ~StepReplay() = default;
  /// Failure: it cannot be run at all any more, such as a schedule whose file has changed.
  virtual llvm::Expected<WatchedStep> run(const RewriteWatchOptions &options) const = 0;

  /// The same, watching only. Keeps points on the way, as many as memory for `mostOps` ops allows: one before each pass
  /// that has something new to begin with. None: the step does not consist of passes.
  virtual llvm::Expected<WatchedStep> runKeeping(std::vector<ReplayPoint> &points, size_t mostOps) const;
  /// Runs from a point (null: from the start) up to the part `end`, or to the end of the step. The log begins with what
  /// follows on the point, and its ordinals with 0.
  virtual llvm::Expected<WatchedStep> runFrom(const ReplayPoint *point, unsigned end,
                                              const RewriteWatchOptions &options) const;
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
  bool verifiesNever = false; ///< they are a part of such passes

  /// Runs them on every split of the module; `watch` may be null. Not ok, too, once RewriteWatch::isDone().
  PassesRun run(mlir::ModuleOp module, RewriteWatch *watch) const;
  /// Pipelines that one after the other do the same. Passes that are nested in ops of the module run op by op, and stay
  /// together.
  std::vector<std::string> parts(mlir::MLIRContext &context) const;
};

/// Runs passes again after `before`.
std::shared_ptr<const StepReplay> replayOf(std::shared_ptr<const Snapshot> before, StepPasses passes);

} // namespace fuselage
