// What `fuselage tune` was asked for, and what it says in both of its ways.
#pragma once
#include "app/cli/ScheduleInput.h"
#include "core/tuning/device/DeviceTuner.h"
#include "core/tuning/enumerate/Count.h"

namespace fuselage::cli {

class TuneControl;

struct TuneArguments {
  ScheduleInput schedule;
  RunOptions run;
  tune::DeviceTunerOptions tuner;
  std::string output, journal, csv, tuned;
  tune::TeamOptions makers{};
  std::unique_ptr<tune::TrialTeam> team{};
  bool dryRun = false;
  bool isEach = false;            ///< the budget is of each dispatch, and not of all together
  bool isJson = false;            ///< one report of all searches, in the end
  TuneControl *control = nullptr; ///< a program steers; null: people look at it
};

/// The knobs, what is asked of them, and how many points that leaves.
std::string describeSpace(const tune::Space &space, const tune::PointCount &count);
/// "median 12.1 us, min 11.0 us, 20 launches".
std::string timesOf(const tune::Measurement &measured);
/// What of the best and of the baseline did not run on all threads of the host, a sentence each; empty: nothing.
std::vector<std::string> oneThreadTexts(const tune::DeviceTuned &done, const tune::PointSet &points);
/// "1.52 times as fast as WHAT (1.48 to 1.60 in 95 of 100 cases)", or that there is no difference beyond the noise.
std::string speedupText(const tune::Speedup &speedup, const std::string &what);
std::vector<const tune::Trial *> pointersTo(llvm::ArrayRef<tune::Trial> trials);
/// "the baseline took 12.1 us first, 13.5 us last"; empty: too little is known.
std::string driftText(llvm::ArrayRef<const tune::Trial *> trials);
/// What came of a search, for programs; see printSearches.
llvm::json::Object searchJson(const tune::DeviceTuned &done, const tune::PointSet &points);
/// {"version": 1, "searches": [..]} to standard output.
void printSearches(llvm::json::Array searches);
/// How the best compares with the baseline, as a sentence; empty: it was not measured again.
std::string comparison(const tune::DeviceTuned &done, const std::string &baseline);
/// Where none ran and was right, the reason that most trials have, after a semicolon; empty: there is none.
std::string whyNone(const tune::DeviceTuned &done);
/// Opens the journal where one is wanted, says what was odd with it, and makes trials known on stderr while they are
/// made.
llvm::Error openJournal(TuneArguments &wanted, std::optional<tune::Journal> &journal);
/// The trials that were made, as a table in the file that is wanted.
llvm::Error writeCsv(const TuneArguments &wanted, const tune::DeviceTuned &done);
/// What a tuning ends with whose journal could not be written.
llvm::Error failUnrecorded(const std::string &why);
void showTrials(TuneArguments &wanted, const tune::Space &space);

/// Whether what is written would take the place of what is read, or of each other; empty: it would not.
std::string complainOfFiles(const TuneArguments &wanted, llvm::StringRef module);
/// What a journal has, without a run: of each work, device and driver how the best came to be; the table goes to `csv`,
/// where that is wanted.
llvm::Error replayJournal(const std::string &path, const std::string &csv);
/// Writes what several libraries have to `output`; empty: to standard output.
llvm::Error mergeLibraries(llvm::ArrayRef<std::string> paths, const std::string &output);

/// Tunes what the default pipeline chooses for the dispatches of `module`; the exit code.
llvm::Expected<int> tuneDispatches(Session &session, mlir::ModuleOp module, TuneArguments &wanted);

} // namespace fuselage::cli
