// A schedule as `fuselage schedule` and `fuselage run` are given it.
#pragma once
#include "app/cli/Options.h"
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

} // namespace fuselage::cli
