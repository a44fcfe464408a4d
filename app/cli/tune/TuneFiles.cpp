// What `fuselage tune` does with what others have found.
#include "app/cli/tune/TuneArguments.h"
#include "core/support/OutputFile.h"
#include "core/support/StandardOutput.h"
#include "core/tuning/library/TunedLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

static tune::Measurement measurementOf(const tune::Trial &trial) {
  return {.status = trial.status,
          .why = trial.why,
          .kernel = trial.kernel,
          .microseconds = trial.microseconds,
          .baseline = trial.baseline};
}

static std::string textOf(const std::map<std::string, std::string> &parameters) {
  std::string text;
  for (const auto &[name, value] : parameters)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

/// The trials that may be compared with each other, oldest first: each that was the best so far.
static void replay(llvm::raw_ostream &os, llvm::ArrayRef<const tune::Trial *> trials) {
  const tune::TrialKey &key = trials.front()->key;
  os << "@" << key.dispatch << " of module " << key.module << ", schedule " << key.schedule
     << "\n  device: " << key.device << ", driver " << (key.driver.empty() ? "unknown" : key.driver) << ", fuselage "
     << key.version << '\n';
  std::map<tune::TrialStatus, size_t> counts;
  const tune::Trial *best = nullptr;
  tune::Cost least;
  for (auto [number, trial] : llvm::enumerate(trials)) {
    ++counts[trial->status];
    tune::Cost cost = trial->status == tune::TrialStatus::Ok
                          ? tune::costOf(measurementOf(*trial), tune::Objective::Median)
                          : std::nullopt;
    if (!cost || (least && *cost >= *least))
      continue;
    best = trial;
    least = cost;
    os << "  [" << number + 1 << "] " << textOf(trial->parameters) << ": " << timesOf(measurementOf(*trial))
       << llvm::formatv(", {0:f3} of the baseline's\n", *cost).str();
  }
  os << "  " << trials.size() << (trials.size() == 1 ? " trial" : " trials");
  for (const auto &[status, number] : counts)
    os << ", " << number << ' ' << tune::nameOf(status);
  os << '\n';
  if (std::string drift = driftText(trials); !drift.empty())
    os << "  " << drift << '\n';
  os << "  best: " << (best ? textOf(best->parameters) : "none ran and was right") << '\n';
}

/// Whether both are one file, by whatever name.
static bool isSameFile(llvm::StringRef a, llvm::StringRef b) {
  return !a.empty() && a != "-" && (a == b || llvm::sys::fs::equivalent(a, b));
}

std::string complainOfFiles(const TuneArguments &wanted, llvm::StringRef module) {
  struct Named {
    llvm::StringRef option, path;
  };
  std::vector<Named> files = {{"FILE", module}};
  for (const std::string &library : wanted.schedule.options.libraries)
    files.push_back({"'--library'", library});
  size_t schedule = files.size(), output = schedule + 1; // the schedule may be written again, with its best values
  files.insert(files.end(), {{"'--schedule'", wanted.schedule.path},
                             {"'--output'", wanted.output},
                             {"'--csv'", wanted.csv},
                             {"'--journal'", wanted.journal}});
  for (size_t second = output; second < files.size(); ++second)
    for (size_t first = 0; first < second; ++first)
      if (!(first == schedule && second == output) && isSameFile(files[first].path, files[second].path))
        return (files[first].option + " and " + files[second].option + " are one file, '" + files[first].path + "'")
            .str();
  return "";
}

llvm::Error replayJournal(const std::string &path, const std::string &csv) {
  if (!llvm::sys::fs::exists(path))
    return fail("there is no journal '" + path + "'");
  auto journal = tune::Journal::read(path);
  if (!journal)
    return journal.takeError();
  std::vector<std::vector<const tune::Trial *>> groups;
  std::vector<const tune::Trial *> all;
  for (const tune::Trial &trial : journal->trials()) {
    auto group = llvm::find_if(groups, [&](const auto &each) { return each.front()->key == trial.key; });
    if (group == groups.end())
      group = groups.insert(groups.end(), std::vector<const tune::Trial *>());
    group->push_back(&trial);
    all.push_back(&trial);
  }
  llvm::raw_ostream &os = csv == "-" ? llvm::errs() : results(); // not into the table
  for (const auto &group : groups)
    replay(os, group);
  if (groups.empty())
    os << "the journal has no trial\n";
  return csv.empty() ? llvm::Error::success() : writeOutputFile(csv, tune::toCsv(all));
}

llvm::Error mergeLibraries(llvm::ArrayRef<std::string> paths, const std::string &output) {
  auto library = tune::TunedLibrary::merged(paths);
  if (!library)
    return library.takeError();
  if (output.empty()) {
    results() << library->text();
    return llvm::Error::success();
  }
  if (llvm::Error error = writeOutputFile(output, library->text()))
    return error;
  results() << library->entries().size() << (library->entries().size() == 1 ? " entry" : " entries") << " of "
            << paths.size() << " libraries written to '" << output << "'\n";
  return llvm::Error::success();
}

} // namespace fuselage::cli
