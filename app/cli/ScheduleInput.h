// A schedule as `fuselage schedule` and `fuselage run` are given it.
#pragma once
#include "app/cli/Options.h"
#include "core/runtime/run/Run.h"
#include "core/schedules/script/Script.h"

namespace fuselage::cli {

struct ScheduleInput {
  std::string path; ///< empty: there is none
  std::vector<std::string> libraries;
  std::map<std::string, std::string> knobs; ///< what to select, by name
};

/// `--library` and `--set`.
void declareSchedule(Options &options, ScheduleInput &schedule);

/// Opens the script at `path` with the libraries, and selects what was asked for. What reading it said goes to stderr.
llvm::Expected<Script> openSchedule(Session &session, llvm::StringRef path, const ScheduleInput &schedule);

/// A schedule works on what is run: where the function that `run` names has dynamic sizes, a copy of its module with those of `run`, or
/// chosen ones, which it no longer has to be given then; null: it has none. Failure: a size is wrong or missing, or there is no such function.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> sizedPayload(mlir::ModuleOp module, RunOptions &run);

} // namespace fuselage::cli
