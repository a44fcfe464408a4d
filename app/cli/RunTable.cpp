#include "app/cli/RunTable.h"
#include "core/pictures/Roofline.h"
#include "core/protocol/json/JsonWriter.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

namespace fuselage::cli {

/// "12x4x1".
static std::string extents(const std::array<uint32_t, 3> &size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

/// A figure with one digit, or a dash where it is unknown.
static std::string figure(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value < 0)
    os << "-";
  else
    os << llvm::format("%.1f", value);
  return text;
}

/// What there is to say behind a row: nothing where it is right.
static std::string verdictText(const Comparison &check) {
  switch (check.verdict) {
  case CheckVerdict::Wrong:
    return "WRONG";
  case CheckVerdict::NotComparable:
    return "not comparable";
  default:
    return "ok";
  }
}

/// "78% memory", ">=12% f32"; a dash where it is unknown.
static std::string limitText(const KernelReport &row) {
  const message::Limit<> &limit = row.limit;
  if (!limit.isKnown())
    return "-";
  const char *bound = limit.bound == message::ShareBound::AtLeast  ? ">="
                      : limit.bound == message::ShareBound::AtMost ? "<="
                                                                   : "";
  return llvm::formatv("{0}{1} {2}", bound, llvm::format(limit.share < 0.0995 ? "%.1f%%" : "%.0f%%", limit.share * 100),
                       limit.roof);
}

/// The median of a baseline of this kind; negative: there is none.
static const message::Baseline<> *baselineOf(const KernelReport &row, llvm::StringRef kind) {
  for (const message::Baseline<> &baseline : row.baselines)
    if (baseline.kind == kind)
      return &baseline;
  return nullptr;
}

/// What is known of rows where there are roofs.
static std::string besideText(const KernelReport &row) {
  const message::Baseline<> *copy = baselineOf(row, message::Baseline<>::copyKind);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(" %16s %10s", limitText(row).c_str(),
                                                 figure(copy ? copy->us : -1).c_str());
  return text;
}

/// With the marks that are explained below the table.
static std::string markedName(const KernelReport &row) {
  return row.dispatch + (row.once ? "*" : "") + (row.isTuned ? "+" : "") +
         (row.calls > 1 ? " x " + std::to_string(row.calls) : "");
}

static void printRow(llvm::raw_ostream &os, const KernelReport &row, int width, bool hasRoofs) {
  bool isHost = row.kind == KernelReport::Kind::Host;
  os << llvm::format("%-*s %-10s %-12s %-11s %7s %10.1f %10.1f %10.1f %-7s %9s %8s", width, markedName(row).c_str(),
                     row.device.c_str(), isHost ? "-" : extents(row.grid).c_str(),
                     isHost ? "-" : extents(row.block).c_str(), isHost ? "-" : std::to_string(row.sharedBytes).c_str(),
                     row.minUs, row.medianUs, row.p95Us, row.cold.c_str(), figure(row.gflops).c_str(),
                     ((row.gbpsAtMost ? "<=" : "") + figure(row.gbps)).c_str());
  if (hasRoofs)
    os << besideText(row);
  if (isHost)
    os << llvm::format(" %10s %10s\n", "-", "-");
  else
    os << llvm::format(" %10.2e %10.2e  %s\n", row.check.maxAbsError, row.check.maxRelError,
                       verdictText(row.check).c_str());
}

/// "[3, 17]"
static std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::string text = "[";
  for (int64_t i : index)
    text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

static std::string elementText(const Element &element) {
  llvm::json::Value value = message::encode(element);
  auto string = value.getAsString();
  return string ? string->str() : llvm::formatv("{0}", value).str();
}

static void printOutput(llvm::raw_ostream &os, size_t number, const OutputReport &output) {
  const Comparison &check = output.check;
  os << llvm::format("result %zu %-30s max abs error %.2e  max rel error %.2e  %s\n", number, output.type.c_str(),
                     check.maxAbsError, check.maxRelError, verdictText(check).c_str());
  const ResultView &view = output.view;
  if (view.statistics)
    os << llvm::format("  min %.6g  max %.6g  mean %.6g", view.statistics->min, view.statistics->max,
                       view.statistics->mean);
  if (check.nonfinite.actual != 0 || check.nonfinite.expected != 0)
    os << "  NaN or infinite: " << check.nonfinite.actual << " of " << check.elements
       << " (reference: " << check.nonfinite.expected << ")";
  os << '\n';
  if (check.verdict == CheckVerdict::Ok || !view.worst)
    return;
  os << "  worst at " << indexText(view.worst->index) << ": " << elementText(view.worst->actual) << " instead of "
     << elementText(view.worst->expected) << '\n';
}

/// Where the time went.
static void printShares(llvm::raw_ostream &os, const RunShares &shares) {
  os << llvm::format(
      "wall time %.0f ms: reading %.0f, inputs %.0f, forming dispatches %.0f, compiling %.0f, upload %.0f, "
      "running %.0f, checking %.0f\n",
      shares.totalMs(), shares.readMs, shares.inputsMs, shares.formMs, shares.compileMs, shares.uploadMs, shares.runMs,
      shares.checkMs);
  os << "  compiled: " << shares.uniqueDispatches << " different dispatches of " << shares.dispatches << ", and "
     << shares.uniquePieces << " different pieces of " << shares.pieces << " for the reference and the checks\n";
}

/// Matmuls beside the library's: "0.84 of OpenBLAS 0.3.21, 2 threads".
static void printLibraries(llvm::raw_ostream &os, const RunReport &report) {
  bool isFirst = true;
  for (const KernelReport &row : report.kernels) {
    const message::Baseline<> *library = baselineOf(row, message::Baseline<>::libraryKind);
    if (!library || row.part != 0)
      continue;
    double us = 0;
    for (const KernelReport *each = &row; each != report.kernels.data() + report.kernels.size(); ++each) {
      if (each != &row && each->part == 0)
        break;
      us += each->medianUs;
    }
    os << (std::exchange(isFirst, false) ? "\n" : "") << "  " << row.dispatch
       << llvm::format(": %.2f of the speed of ", us > 0 ? library->us / us : 0.0) << library->name
       << llvm::format(", this run (%s: %.1f us)\n", library->what.c_str(), library->us);
  }
}

/// What launches cost, how steady the clocks were, and the roofs.
static void printClocks(llvm::raw_ostream &os, const RunReport &report) {
  const message::ClockCheck<> &clocks = report.clocks;
  size_t launches = 0;
  for (const KernelReport &row : report.kernels)
    launches += row.kind == KernelReport::Kind::Dispatch && !row.once && row.device == report.device ? row.calls : 0;
  if (clocks.launchUs >= 0) {
    os << llvm::format("  a launch that does next to nothing takes %.1f us: %zu of them %.1f us of the sum",
                       clocks.launchUs, launches, clocks.launchUs * launches);
    if (clocks.submitUs >= 0)
      os << llvm::format(", and %.1f us more from call to return on the host", clocks.submitUs);
    os << '\n';
  }
  if (clocks.isKnown())
    os << llvm::format("  clocks: the same multiply-adds took %.1f us before and %.1f us behind the run (%+.1f %%)\n",
                       clocks.firstUs, clocks.lastUs, clocks.drift() * 100);
  if (!report.roofs)
    return;
  os << "  roofs of " << report.roofs->device << ", measured here, " << report.roofs->measured << ':';
  for (auto [index, roof] : llvm::enumerate(report.roofs->roofs))
    os << (index ? ", " : " ") << roof.name
       << llvm::format(" %.1f %s", roof.rate, roof.kind == message::RoofKind::Bandwidth ? "GB/s" : "GFLOP/s");
  os << '\n';
}

std::string formatRunReport(const RunReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << report.function << " on " << report.device << "\n";
  for (const InputReport &input : report.inputs)
    os << "  " << input.name << ' ' << (input.parameter.empty() ? "" : input.parameter + ' ') << input.type << ": "
       << input.source << (input.note.empty() ? "" : " (" + input.note + ")") << '\n';
  size_t width = 20;
  for (const KernelReport &row : report.kernels)
    width = std::max(width, markedName(row).size());
  os << llvm::format("\n%-*s %-10s %-12s %-11s %7s %10s %10s %10s %-7s %9s %8s", int(width), "dispatch", "device",
                     "grid", "block", "shared", "min us", "median us", "p95 us", "caches", "GFLOP/s", "GB/s");
  if (report.roofs)
    os << llvm::format(" %16s %10s", "of its roof", "copy us");
  os << llvm::format(" %10s %10s\n", "abs error", "rel error");
  for (const KernelReport &row : report.kernels)
    printRow(os, row, int(width), report.roofs.has_value());
  printLibraries(os, report);
  bool isRepeated = llvm::any_of(report.kernels, [](const KernelReport &row) { return row.calls > 1; });
  os << llvm::format("\nsum of the medians%s %.1f us", isRepeated ? ", each times its calls," : "", report.sumUs());
  if (report.wallUs >= 0)
    os << llvm::format(", one whole pass %.1f us of wall time", report.wallUs);
  os << '\n';
  if (double once = report.onceUs(); once > 0)
    os << llvm::format("  and %.1f us once, for what follows from weights and constants alone (marked *)\n", once);
  if (llvm::any_of(report.kernels, [](const KernelReport &row) { return row.isTuned; }))
    os << "  marked +: with sizes that were tuned\n";
  if (std::string note = report.timingNote(); !note.empty())
    os << "  " << note << '\n';
  printClocks(os, report);
  printShares(os, report.shares);
  os << '\n';
  for (auto [number, output] : llvm::enumerate(report.outputs))
    printOutput(os, number, output);
  return text;
}

/// The fewest digits that stand for a number of this type and for no other.
static std::string shortestText(double number, mlir::Type type) {
  char digits[64];
  auto floating = llvm::dyn_cast<mlir::FloatType>(type);
  bool isNarrow = floating && floating.getWidth() <= 32;
  auto end = isNarrow ? std::to_chars(digits, std::end(digits), static_cast<float>(number))
                      : std::to_chars(digits, std::end(digits), number);
  return std::string(digits, end.ptr);
}

/// An element to the digit.
static std::string elementText(const HostTensor &tensor, int64_t index) {
  if (llvm::isa<mlir::FloatType>(tensor.elementType()))
    return shortestText(tensor.floatAt(index), tensor.elementType());
  return elementText(elementOf(tensor, index));
}

std::string formatResultSummary(const RunReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, output] : llvm::enumerate(report.outputs)) {
    const ResultView &view = output.view;
    os << "\nresult " << number << ": " << output.type << '\n';
    if (view.statistics)
      os << "  min " << shortestText(view.statistics->min, output.value.elementType()) << ", mean "
         << llvm::format("%.6g", view.statistics->mean) << ", max "
         << shortestText(view.statistics->max, output.value.elementType()) << '\n';
    os << "  " << output.check.nonfinite.actual << " of " << output.check.elements << " are NaN or infinite\n  first:";
    constexpr int64_t most = 8;
    int64_t count = output.value.elementCount();
    for (int64_t i = 0; i < std::min(count, most); ++i)
      os << ' ' << elementText(output.value, i);
    os << (count > most ? " ..\n" : "\n");
  }
  return text;
}

std::string formatResults(const RunReport &report) {
  std::string text;
  for (auto [number, output] : llvm::enumerate(report.outputs))
    text += "\nresult " + std::to_string(number) + " " + output.type + "\n" + printTensor(output.value) + "\n";
  return text;
}

std::string formatRunCsv(const RunReport &report) {
  const message::RunReport<> message = messageOf(report);
  return message::runCsv<message::StdTypes>({{"run", &message}}, [](const std::string &text) { return text; });
}

} // namespace fuselage::cli
