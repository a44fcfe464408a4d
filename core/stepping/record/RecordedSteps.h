// What a recording holds, and what it is asked.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/protocol/Steps.h"
#include "core/schedules/script/Script.h"
#include "core/stepping/record/Snapshot.h"
#include <atomic>
#include <functional>
#include <map>
#include <optional>

namespace fuselage {

/// What a step of a fusion was for, and the proof that the program still computes the same.
struct StepFusion {
  std::string reason{};    ///< the code that listed the pass, "CONSUMER_CONTRACTION"; may be empty
  unsigned dispatches = 0; ///< that the module has after the step, by the policy
  bool checked = false;    ///< the host ran the module of before the fusion, and that after the step
  double maxAbsError = 0, maxRelError = 0;
  bool ok = true;
  std::string note{}; ///< why it was not checked
};

struct RewriteLog;
class StepReplay;

/// One pass (or transform op) of the recorded pipeline.
struct Step {
  std::string name;                   ///< title of a teaching step, else the pass argument or transform op
  std::string pass;                   ///< pass argument, e.g. "canonicalize"; of a teaching step "canonicalize,cse"
  std::string options;                ///< as written in the pipeline, without braces
  std::string pipeline;               ///< textual pipeline that repeats exactly this step; of a transform op the
                                      ///< pipeline that repeats the schedule from the start
  std::string teaches;                ///< paragraph for the window; empty for a user's own passes
  std::string scope;                  ///< "func.func @main": the op a dumped pass ran on; empty: the whole module
  std::string origin;                 ///< "dump.log:17": where a dumped step stands; empty: it ran here
  std::optional<double> milliseconds; ///< unknown for dumped steps
  /// The snapshots before the step and after it. A dumped step may lack either (-1): what came
  /// before the first dump, or what a pass made of the IR that was only dumped before it.
  int before = -1, after = -1;
  bool changed = false;
  bool failed = false;
  std::map<std::string, int64_t> opDelta; ///< op name -> count after minus count before
  std::vector<Diagnostic> diagnostics;    ///< errors, warnings, remarks of this step
  std::optional<StepFusion> fusion;       ///< of steps that fuse an edge, or all that pays
  /// Runs it again (core/stepping/record/StepReplay.h); null: another compiler ran it.
  std::shared_ptr<const StepReplay> replay{};
  std::shared_ptr<const RewriteLog> rewrites{}; ///< if they were listed while it was recorded
};

/// Snapshot 0 is the input. Recorded here, step i leads from snapshot i to snapshot i + 1; after a
/// failed step there is none, and the snapshot after it is the last good one. Of a log, each step says
/// which snapshots it stands between, and the input is the earliest dump.
struct Recording {
  std::string pipeline; ///< as asked for; empty: the default pipeline, or a schedule
  std::string schedule; ///< path of the transform script, if that was asked for
  std::string log;      ///< path of the log or tree of dumps that this was read from; nothing ran here
  std::vector<Step> steps;
  std::vector<std::shared_ptr<const Snapshot>> snapshots; ///< never empty
  /// What belongs to no step: what a log holds beside dumps, or why the default pipeline was cut.
  std::vector<Diagnostic> notes;
  bool cancelled = false; ///< it was to have more steps

  /// Null where the step has none.
  const Snapshot *before(const Step &step) const { return step.before < 0 ? nullptr : snapshots[step.before].get(); }
  const Snapshot *after(const Step &step) const { return step.after < 0 ? nullptr : snapshots[step.after].get(); }
  /// The snapshot to show for a step: after it, or else before it.
  unsigned shown(const Step &step) const { return step.after >= 0 ? step.after : std::max(step.before, 0); }
};

/// A step that took a process down: it does not run, and is recorded as failed for that reason.
struct DeadlyStep {
  unsigned index = 0;
  std::string message;
};

struct RecordOptions {
  std::string pipeline;         ///< textual MLIR pipeline, see splitPipeline(), too; empty: the default pipeline
  std::string schedule;         ///< path of a transform-dialect script; excludes `pipeline`
  ScriptOptions script{};       ///< how that is opened
  std::string target = "spirv"; ///< tail of the default pipeline: "spirv" or "ptx"
  std::string targetDevice;     ///< for that one: a name of KnownDevices.h, or a file that describes it; empty: any
  /// Looks up better sizes for the default pipeline's dispatches, given the module that it begins with; nullopt: none
  /// are known. Not asked where `targetDevice` is given.
  std::function<std::optional<TunedSteps>(mlir::ModuleOp module)> tuning;
  /// That the input is the module of: snapshot 0 of the recording, and where its steps begin when they run again.
  /// Null: a copy is kept for both.
  std::shared_ptr<const Snapshot> start{};
  bool listsRewrites = false; ///< fills Step::rewrites
  unsigned limit = ~0u;       ///< runs only so many steps (to get back to the last good one)
  std::optional<DeadlyStep> deadly;
  bool takesSignals = false;                    ///< while a tool runs, see runTool()
  std::string directory;                        ///< where a tool works; empty: where we do
  const std::atomic<bool> *cancelled = nullptr; ///< looked at between steps; then a Failure
  bool keepsFinished = false; ///< a cancelled recording has the steps that have finished, if there are any
  /// Called before a step runs (so that a crash can be named) and after it.
  std::function<void(unsigned index, unsigned total, const Step &)> beforeStep, afterStep;
};

} // namespace fuselage
