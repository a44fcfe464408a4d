// A schedule as `fuselage schedule` and `fuselage run` are given it.
#pragma once
#include "app/cli/Options.h"
#include "core/run/Run.h"
#include "core/schedules/script/Script.h"
#include "core/stepping/record/RecordedSteps.h"

namespace fuselage::cli {

struct ScheduleInput {
  std::string path; ///< empty: there is none
  ScriptOptions options;
  std::map<std::string, std::string> knobs; ///< what to select, by name

  /// Whether nothing is said of how the script is opened.
  bool isPlain() const {
    return options.libraries.empty() && options.entry.empty() && options.arguments.empty() && knobs.empty();
  }
};

/// `--library`, `--entry` and `--arg`.
void declareScript(Options &options, ScheduleInput &schedule);
/// These and `--set`.
void declareSchedule(Options &options, ScheduleInput &schedule);

/// Opens the script at `path` as its options say, and selects what was asked for. What reading it said goes to stderr.
llvm::Expected<Script> openSchedule(Session &session, llvm::StringRef path, const ScheduleInput &schedule);

/// Records a pipeline, or the schedule where there is one.
RecordOptions recordOptionsOf(const std::string &pipeline, const ScheduleInput &schedule);

/// A schedule works on what is run: where the function that `run` names has dynamic sizes, a copy of its module with
/// those of `run`, or chosen ones, which it no longer has to be given then; null: it has none. Failure: a size is wrong
/// or missing, or there is no such function.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> sizedPayload(mlir::ModuleOp module, RunOptions &run);

} // namespace fuselage::cli
