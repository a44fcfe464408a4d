// fuselage trace: what a trace says, as a table.
#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/trace/TraceFile.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

/// Milliseconds with three digits that count, and never as a power.
static std::string milliseconds(double microseconds) {
  const double value = microseconds / 1000;
  const char *form = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
  char text[400];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

static std::string tableOf(const TraceFile &trace, llvm::ArrayRef<TraceRow> rows, size_t all) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0,9} {1,12} {2,12} {3,12}  {4,-10} {5}\n", "count", "total ms", "self ms", "longest ms",
                      "category", "name");
  for (const TraceRow &row : rows)
    os << llvm::formatv("{0,9} {1,12} {2,12} {3,12}  {4,-10} {5}\n", row.count, milliseconds(row.total),
                        milliseconds(row.self), milliseconds(row.longest), trace.categories[row.category],
                        trace.names[row.name]);
  os << "\n"
     << trace.spans.size() << (trace.spans.size() == 1 ? " event" : " events") << " of " << all
     << (all == 1 ? " name" : " names") << " on " << trace.threads.size()
     << (trace.threads.size() == 1 ? " thread" : " threads") << ", " << milliseconds(trace.duration) << " ms\n";
  return text;
}

static std::string jsonOf(const TraceFile &trace, llvm::ArrayRef<TraceRow> rows) {
  llvm::json::Array array;
  for (const TraceRow &row : rows)
    array.push_back(llvm::json::Object{{"name", trace.names[row.name]},
                                       {"category", trace.categories[row.category]},
                                       {"count", int64_t(row.count)},
                                       {"total_us", row.total},
                                       {"self_us", row.self},
                                       {"longest_us", row.longest}});
  return jsonText(llvm::json::Object{{"version", 1},
                                     {"duration_us", trace.duration},
                                     {"events", int64_t(trace.spans.size())},
                                     {"threads", llvm::json::Array(trace.threads)},
                                     {"instants", int64_t(trace.instants)},
                                     {"others", int64_t(trace.others)},
                                     {"skipped", int64_t(trace.skipped)},
                                     {"unfinished", int64_t(trace.unfinished)},
                                     {"cut", trace.cut},
                                     {"rows", std::move(array)}});
}

/// What of the file is not in the table.
static void warn(const TraceFile &trace, llvm::StringRef path) {
  auto say = [&](const std::string &message) {
    hold({.severity = Diagnostic::Severity::Warning, .message = message, .file = path.str()});
  };
  if (!trace.cut.empty())
    say(trace.cut + "; all events before are shown");
  if (trace.skipped > 0)
    say(std::to_string(trace.skipped) + " events have no time that makes sense, and are left out");
  if (trace.unfinished > 0)
    say(std::to_string(trace.unfinished) + " events have no end, and last to the end of their thread");
}

int traceCommand(Arguments arguments) {
  std::string format = "text", order = "total";
  uint64_t most = 50;
  Options options("trace", "FILE",
                  "Reads a trace in the Trace Event Format and prints what its events come to by name: how many there "
                  "are, their time with what is inside of them (total), and without (self). Such files are written by "
                  "--trace of step, fuse, explain, run and tune, by mlir-opt --profile-actions-to, and by "
                  "many other tools. FILE may be - for the standard input.");
  options.choice("sort", {"total", "self", "count", "longest", "name"}, "the order of the rows (default: total)",
                 order);
  options.number("rows", "how many rows to print; 0: all (default: 50)", most, 0, UINT32_MAX);
  options.choice("format", {"text", "json"}, "a table or JSON (default: text)", format);
  options.example("fuselage step samples/softmax.mlir --trace softmax.json && fuselage trace softmax.json");
  options.example(
      "mlir-opt model.mlir --canonicalize --profile-actions-to=actions.json && fuselage trace actions.json");
  if (auto code = options.parse(arguments))
    return *code;
  setActivity("reading '" + shortPath(options.positional()) + "'");
  auto trace = readTraceFile(options.positional());
  if (!trace)
    return reportFailure(trace.takeError());
  warn(*trace, options.positional());
  std::vector<TraceRow> rows = rowsOf(*trace);
  llvm::stable_sort(rows, [&](const TraceRow &a, const TraceRow &b) {
    return order == "self"      ? a.self > b.self
           : order == "count"   ? a.count > b.count
           : order == "longest" ? a.longest > b.longest
           : order == "name"    ? trace->names[a.name] < trace->names[b.name]
                                : a.total > b.total;
  });
  llvm::ArrayRef<TraceRow> shown = rows;
  if (most > 0)
    shown = shown.take_front(most);
  std::string text = format == "json" ? jsonOf(*trace, shown) : tableOf(*trace, shown, rows.size());
  if (shown.size() < rows.size())
    hold({.severity = Diagnostic::Severity::Note,
          .message = std::to_string(rows.size() - shown.size()) + " more rows; --rows 0 prints all"});
  if (llvm::Error error = writeOutputFile("-", text))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
