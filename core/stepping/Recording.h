// A pipeline recorded pass by pass: what each step did to the IR.
#pragma once
#include "core/ir/PrintedModule.h"
#include "core/ir/Session.h"
#include "core/support/Error.h"
#include <atomic>
#include <functional>
#include <map>

namespace fuselage {

/// The IR between two steps. Steps that change nothing share their snapshot.
class Snapshot {
public:
  explicit Snapshot(mlir::OwningOpRef<mlir::ModuleOp> module) : module_(std::move(module)) {}
  mlir::ModuleOp module() const { return module_.get(); }
  /// Printed on first use, then kept until released.
  const PrintedModule &printed() const;
  /// Forgets the text (references to it die); the next printed() prints again, alike.
  void releasePrinted() const { printed_.reset(); }
  bool isPrinted() const { return printed_ != nullptr; }

private:
  mutable mlir::OwningOpRef<mlir::ModuleOp> module_;
  mutable std::unique_ptr<PrintedModule> printed_;
};

/// One pass (or transform op) of the recorded pipeline.
struct Step {
  std::string name;     ///< title of a teaching step, else the pass argument or transform op
  std::string pass;     ///< pass argument, e.g. "canonicalize"; of a teaching step "canonicalize,cse"
  std::string options;  ///< as written in the pipeline, without braces
  std::string pipeline; ///< textual pipeline that repeats exactly this step; of a transform op the
                        ///< pipeline that repeats the schedule from the start
  std::string teaches;  ///< paragraph for the window; empty for a user's own passes
  double milliseconds = 0;
  bool changed = false;
  bool failed = false;
  std::map<std::string, int64_t> opDelta; ///< op name -> count after minus count before
  std::vector<Diagnostic> diagnostics;    ///< errors, warnings, remarks of this step
};

/// Snapshot 0 is the input; step i leads from snapshot i to snapshot i + 1. After a failed step
/// there is none, and the snapshot after it is the last good one.
struct Recording {
  std::string pipeline; ///< as asked for; empty: the default pipeline, or a schedule
  std::string schedule; ///< path of the transform script, if that was asked for
  std::vector<Step> steps;
  std::vector<std::shared_ptr<const Snapshot>> snapshots; ///< steps.size() + 1
};

struct RecordOptions {
  std::string pipeline; ///< textual MLIR pipeline; empty: the default pipeline
  std::string schedule; ///< path of a transform-dialect script; excludes `pipeline`
  std::string target = "spirv"; ///< tail of the default pipeline: "spirv" or "ptx"
  unsigned limit = ~0u; ///< runs only so many steps (to get back to the last good one)
  const std::atomic<bool> *cancelled = nullptr; ///< looked at between steps; then a Failure
  /// Called before a step runs (so that a crash can be named) and after it.
  std::function<void(unsigned index, unsigned total, const Step &)> beforeStep, afterStep;
};

/// Runs and records. A pass that fails ends the recording with `failed` set on its step: that is a
/// result, not a Failure. Failure: the pipeline does not parse (names the pass and the nearest
/// pass names), or the schedule cannot be read, or it was cancelled. Passes run in a
/// pass manager each, with the verifier after each; a step counts as changed when its IR differs
/// in anything but locations. `input` is left as it is.
llvm::Expected<Recording> record(Session &session, mlir::ModuleOp input,
                                 const RecordOptions &options);

llvm::json::Value toJSON(const Step &step, unsigned index);

} // namespace fuselage
