#include "app/cli/run/CompareResults.h"
#include "core/pictures/RunDifferences.h"
#include "core/run/bundles/ResultsFile.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace fuselage::cli {

/// The files that root ops come from.
static std::set<std::string> filesOf(const TimedRun &run) {
  std::set<std::string> files;
  for (const TimedDispatch &dispatch : run.dispatches)
    if (llvm::StringRef place = dispatch.place; !place.empty())
      files.insert(place.rsplit(':').first.rsplit(':').first.str());
  return files;
}

static std::string figure(const TimeRange &us, bool isThere) {
  return isThere && us.isKnown() ? llvm::formatv("{0:F1}", us.median).str() : "-";
}

static std::string countText(const RunDifference &row) {
  if (row.isInBoth() && row.countBefore != row.countAfter)
    return llvm::formatv("x{0} -> x{1}", row.countBefore, row.countAfter).str();
  size_t count = std::max(row.countBefore, row.countAfter);
  return count > 1 ? "x" + std::to_string(count) : "";
}

static std::string line(size_t width, llvm::StringRef name, llvm::StringRef count, llvm::StringRef before,
                        llvm::StringRef after, llvm::StringRef change, llvm::StringRef remark) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::left_justify(name, width) << ' ' << llvm::right_justify(count, 10) << ' '
                                 << llvm::right_justify(before, 12) << ' ' << llvm::right_justify(after, 12) << ' '
                                 << llvm::right_justify(change, 10) << "  " << remark;
  return llvm::StringRef(text).rtrim().str() + "\n";
}

static std::string sumRemark(const RunDifferences &found) {
  bool isKnown = found.before.isKnown() && found.after.isKnown();
  return isKnown && found.before.overlaps(found.after) ? "within noise" : "";
}

static std::string tableOf(const RunDifferences &found) {
  size_t width = 20;
  auto nameOf = [](const RunDifference &row) { return row.onHost ? "on the host: " + row.name : row.name; };
  for (const RunDifference &row : found.rows)
    width = std::max(width, nameOf(row).size());
  std::string text = line(width, "dispatch", "count", "before us", "after us", "change", "");
  for (const RunDifference &row : found.rows)
    text += line(width, nameOf(row), countText(row), figure(row.before, row.countBefore > 0),
                 figure(row.after, row.countAfter > 0), row.isInBoth() ? changeText(row.before, row.after) : "",
                 remarkOf(row));
  text += line(width, "sum of one pass", "", figure(found.before, true), figure(found.after, true),
               changeText(found.before, found.after), sumRemark(found));
  for (const std::string &doubt : found.doubts)
    text += doubt + "\n";
  return text + "Times are medians; within noise: the ranges from minimum to 95th percentile overlap.\n";
}

static llvm::Expected<TimedRun> read(llvm::StringRef path) {
  auto results = readResultsFile(path);
  if (!results)
    return results.takeError();
  if (results->kernels.empty())
    return fail("'" + path.str() + "' has no dispatches");
  return timedRun<message::StdTypes>(*results, [](const std::string &text) { return text; });
}

llvm::Error compareResults(llvm::StringRef a, llvm::StringRef b, const CompareResultsOptions &options) {
  auto before = read(a), after = read(b);
  if (!before || !after)
    return llvm::joinErrors(before ? llvm::Error::success() : before.takeError(),
                            after ? llvm::Error::success() : after.takeError());
  std::set<std::string> files = filesOf(*before);
  bool isOneText = !files.empty() && files == filesOf(*after);
  RunDifferences found = differencesOf(*before, *after, isOneText ? DifferencesBy::Places : DifferencesBy::Names);
  if (options.format == "csv")
    return writeOutputFile(options.output, differencesCsv(found));
  std::string text = llvm::formatv("before: {0} on {1}\nafter:  {2} on {3}\n\n", a, before->device, b, after->device);
  return writeOutputFile(options.output, text + tableOf(found));
}

} // namespace fuselage::cli
