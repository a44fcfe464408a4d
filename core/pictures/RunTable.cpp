#include "core/pictures/RunTable.h"
#include "core/pictures/RunGroups.h"
#include "core/support/Units.h"
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace fuselage {

using message::RunVerdict;
using Row = message::Kernel<>;

namespace {

/// As printf does.
__attribute__((format(printf, 1, 2))) std::string formatted(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(size_t(std::max(std::vsnprintf(nullptr, 0, format, arguments), 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(arguments);
  va_end(again);
  return text;
}

/// "12x4x1".
std::string extents(const std::vector<int> &size) {
  std::string text;
  for (int extent : size)
    text += (text.empty() ? "" : "x") + std::to_string(unsigned(extent));
  return text;
}

/// A figure with one digit, or a dash where it is unknown.
std::string figure(double value) { return value < 0 ? "-" : formatted("%.1f", value); }

/// The verdict of a row: nothing more where it is right.
std::string verdictText(const message::Comparison<> &check) {
  switch (check.verdict) {
  case RunVerdict::Wrong:
    return "WRONG";
  case RunVerdict::NotComparable:
    return "not comparable";
  case RunVerdict::Unchecked:
    return "not verified";
  default:
    return "ok";
  }
}

/// "78% memory", ">=12% f32"; a dash where it is unknown.
std::string limitText(const Row &row) {
  const message::Limit<> &limit = row.limit;
  if (!limit.isKnown())
    return "-";
  const char *bound = limit.bound == message::ShareBound::AtLeast  ? ">="
                      : limit.bound == message::ShareBound::AtMost ? "<="
                                                                   : "";
  return bound +
         (limit.share < 0.0995 ? formatted("%.1f%%", limit.share * 100) : formatted("%.0f%%", limit.share * 100)) +
         " " + limit.peak;
}

/// What is known of rows where there are peaks.
std::string besideText(const Row &row) {
  double copyUs = -1;
  for (const message::Baseline<> &baseline : row.baselines)
    if (copyUs < 0 && baseline.kind == message::Baseline<>::copyKind)
      copyUs = baseline.us;
  return formatted(" %16s %10s", limitText(row).c_str(), figure(copyUs).c_str());
}

/// With the marks that are explained below the table.
std::string markedName(const Row &row) {
  return row.dispatch + (row.once ? "*" : "") + (row.tuned ? "+" : "") +
         (row.calls > 1 ? " x " + std::to_string(row.calls) : "");
}

/// A dash where it is unknown.
std::string bytesText(double bytes) { return bytes < 0 ? "-" : decimalBytesText(bytes); }

/// A line of the table: a row for itself, or with those that are the same but for where they are.
struct Line {
  Row row;
  message::KernelGroup<> group;
  std::string places; ///< of several
};

/// What lines of groups have besides.
struct Columns {
  int name = 20;
  bool isGrouped = false; ///< some line stands for several rows
  bool hasPeaks = false;
};

/// "  x80    1234.5   1.54 MB  123.20 MB": how many, what they take together, what one moves, and what all do.
std::string groupText(const Line &line) {
  size_t count = line.group.kernels.size();
  return formatted(" %5s %10s %9s %9s", count > 1 ? ("x" + std::to_string(count)).c_str() : "",
                   figure(line.group.sumUs).c_str(), bytesText(line.row.bytes).c_str(),
                   bytesText(double(line.group.bytes)).c_str());
}

std::string lineText(const Line &line, const Columns &columns) {
  const Row &row = line.row;
  std::string text = formatted("%-*s", columns.name, markedName(row).c_str());
  if (columns.isGrouped)
    text += groupText(line);
  text += formatted(" %-10s %-12s %-11s %7s %10.1f %10.1f %10.1f %-7s %9s %8s", row.device.c_str(),
                    row.onHost ? "-" : extents(row.grid).c_str(), row.onHost ? "-" : extents(row.block).c_str(),
                    row.onHost ? "-" : std::to_string(row.sharedBytes).c_str(), row.minUs, row.medianUs, row.p95Us,
                    row.cold.c_str(), figure(row.gflops).c_str(),
                    ((row.gbpsAtMost ? "<=" : "") + figure(row.gbps)).c_str());
  if (columns.hasPeaks)
    text += besideText(row);
  bool isCompared = !row.onHost && row.verdict != RunVerdict::Unchecked;
  text += row.onHost    ? formatted(" %10s %10s", "-", "-")
          : !isCompared ? formatted(" %10s %10s  %s", "-", "-", verdictText(row).c_str())
                        : formatted(" %10.2e %10.2e  %s", row.maxAbsError, row.maxRelError, verdictText(row).c_str());
  return text + (line.places.empty() ? "" : "  in " + line.places) + "\n";
}

/// The lines of the table.
std::vector<Line> linesOf(const message::RunReport<> &report, bool flat) {
  constexpr size_t mostPlaces = 3;
  std::vector<Line> lines;
  std::vector<message::KernelGroup<>> groups = message::groupsOf(report);
  auto isOfSeveral = [](const message::KernelGroup<> &group) { return group.kernels.size() > 1; };
  if (flat || std::none_of(groups.begin(), groups.end(), isOfSeveral))
    groups = message::groupsOfOne(report);
  for (message::KernelGroup<> &group : groups) {
    auto asIs = [](const std::string &text) { return text; };
    std::string places = group.kernels.size() > 1 ? message::placesOf(report, group, mostPlaces, asIs) : "";
    Row row = message::rowOf(report, group);
    lines.push_back({std::move(row), std::move(group), std::move(places)});
  }
  return lines;
}

/// The rows, with their titles.
std::string rowsText(const message::RunReport<> &report, bool flat) {
  const std::vector<Line> lines = linesOf(report, flat);
  Columns columns;
  columns.hasPeaks = report.peaks.has_value();
  for (const Line &line : lines) {
    columns.name = std::max(columns.name, int(markedName(line.row).size()));
    columns.isGrouped |= line.group.kernels.size() > 1;
  }
  std::string text = formatted("\n%-*s", columns.name, "dispatch");
  if (columns.isGrouped)
    text += formatted(" %5s %10s %9s %9s", "times", "total us", "bytes", "total");
  text += formatted(" %-10s %-12s %-11s %7s %10s %10s %10s %-7s %9s %8s", "device", "grid", "block", "shared", "min us",
                    "median us", "p95 us", "caches", "GFLOP/s", "GB/s");
  if (columns.hasPeaks)
    text += formatted(" %16s %10s", "of its peak", "copy us");
  text += formatted(" %10s %10s\n", "abs error", "rel error");
  for (const Line &line : lines)
    text += lineText(line, columns);
  if (columns.isGrouped)
    text += "\nA row with a count stands for as many that are equal but for where they are; it names the first, and "
            "the mean of their medians. --flat lists each.\n";
  return text;
}

/// "[3, 17]"
std::string indexText(const std::vector<int64_t> &index) {
  std::string text = "[";
  for (int64_t i : index)
    text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

/// A number as JSON has it.
std::string numberText(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  return formatted("%.17g", number);
}

std::string elementText(const message::StdTypes::Element &element) {
  if (const auto *number = std::get_if<double>(&element))
    return numberText(*number);
  if (const auto *number = std::get_if<std::complex<double>>(&element))
    return "[" + numberText(number->real()) + "," + numberText(number->imag()) + "]";
  if (const auto *whole = std::get_if<int64_t>(&element))
    return std::to_string(*whole);
  if (const auto *large = std::get_if<uint64_t>(&element))
    return std::to_string(*large);
  return std::get<std::string>(element);
}

std::string outputText(size_t number, const message::Output<> &output) {
  std::string text =
      formatted("result %zu %-30s max abs error %.2e  max rel error %.2e  %s\n", number, output.type.c_str(),
                output.maxAbsError, output.maxRelError, verdictText(output).c_str());
  if (!output.statistics.isNone())
    text += formatted("  min %.6g  max %.6g  mean %.6g", output.statistics.min, output.statistics.max,
                      output.statistics.mean);
  if (output.nonfiniteActual != 0 || output.nonfiniteExpected != 0)
    text += "  NaN or infinite: " + std::to_string(output.nonfiniteActual) + " of " + std::to_string(output.elements) +
            " (reference: " + std::to_string(output.nonfiniteExpected) + ")";
  text += '\n';
  if (output.verdict == RunVerdict::Ok || !output.worst)
    return text;
  return text + "  worst at " + indexText(output.worst->index) + ": " + elementText(output.worst->actual) +
         " instead of " + elementText(output.worst->expected) + "\n";
}

/// Where the time went.
std::string sharesText(const message::RunShares<> &shares) {
  return formatted(
             "wall time %.0f ms: reading %.0f, inputs %.0f, forming dispatches %.0f, compiling %.0f, upload %.0f, "
             "running %.0f, checking %.0f\n",
             shares.totalMs(), shares.readMs, shares.inputsMs, shares.formMs, shares.compileMs, shares.uploadMs,
             shares.runMs, shares.checkMs) +
         "  compiled: " + std::to_string(shares.uniqueDispatches) + " distinct of " +
         std::to_string(shares.dispatches) + " dispatches, and " + std::to_string(shares.uniquePieces) +
         " distinct of " + std::to_string(shares.pieces) + " pieces for the reference and the checks\n";
}

/// What launches cost, how steady the clocks were, and the peaks.
std::string clocksText(const message::RunReport<> &report) {
  const message::ClockCheck<> &clocks = report.clocks;
  std::string text;
  size_t launches = 0;
  for (const Row &row : report.kernels)
    launches += !row.onHost && !row.once && row.device == report.device ? size_t(row.calls) : 0;
  if (clocks.launchUs >= 0) {
    text += formatted("  a launch that does next to nothing takes %.1f us: %zu of them %.1f us of the sum",
                      clocks.launchUs, launches, clocks.launchUs * double(launches));
    if (clocks.submitUs >= 0)
      text += formatted(", and %.1f us more from call to return on the host", clocks.submitUs);
    text += '\n';
  }
  if (clocks.isKnown())
    text += formatted("  clocks: the same multiply-adds took %.1f us before and %.1f us after the run (%+.1f %%)\n",
                      clocks.firstUs, clocks.lastUs, clocks.drift() * 100);
  if (!report.peaks)
    return text;
  text += "  peaks of " + report.peaks->device + ", measured here, " + report.peaks->measured + ":";
  bool isFirst = true;
  for (const message::Peak<> &peak : report.peaks->peaks)
    text += (std::exchange(isFirst, false) ? " " : ", ") + peak.name +
            formatted(" %.1f %s", peak.rate, peak.kind == message::PeakKind::Bandwidth ? "GB/s" : "GFLOP/s");
  return text + "\n";
}

} // namespace

std::string runTable(const message::RunReport<> &report, const RunTableOptions &options) {
  std::string text = report.function + " on " + report.device + "\n";
  for (const message::RunInput<> &input : report.inputs)
    text += "  " + input.name + " " + (input.parameter.empty() ? "" : input.parameter + " ") + input.type + ": " +
            input.source + (input.note.empty() ? "" : " (" + input.note + ")") + "\n";
  bool isRepeated = false, isTuned = false;
  for (const Row &row : report.kernels) {
    isRepeated |= row.calls > 1;
    isTuned |= row.tuned;
  }
  if (report.cancelled)
    text += formatted("  cancelled after %d of %d dispatches; rows and sums are of those that finished\n",
                      report.cancelled->after, report.cancelled->of);
  text += rowsText(report, options.flat) + options.libraries;
  text += formatted("\nsum of the medians%s %.1f us", isRepeated ? ", each times its calls," : "", report.sumUs);
  if (report.wallUs >= 0)
    text += formatted(", one whole pass %.1f us of wall time", report.wallUs);
  text += '\n';
  if (report.onceUs > 0)
    text +=
        formatted("  and %.1f us once, for what follows from weights and constants alone (marked *)\n", report.onceUs);
  if (isTuned)
    text += "  marked +: with sizes that were tuned\n";
  if (!report.timingNote.empty())
    text += "  " + report.timingNote + "\n";
  text += clocksText(report) + sharesText(report.shares) + "\n";
  for (size_t i = 0; i < report.outputs.size(); ++i)
    text += outputText(i, report.outputs[i]);
  return text;
}

} // namespace fuselage
