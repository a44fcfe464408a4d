#include "core/stepping/report/Report.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/stepping/report/HtmlReport.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

std::string describePipeline(const Recording &recording) {
  if (!recording.log.empty())
    return "dumps of a tool";
  if (!recording.schedule.empty())
    return "schedule " + recording.schedule;
  return recording.pipeline.empty() ? "default pipeline" : "pipeline " + recording.pipeline;
}

/// "-12 linalg.fill, +3 arith.constant, ..., 4 more", the largest first.
std::string describeDelta(const Step &step) {
  constexpr size_t shown = 5;
  std::vector<std::pair<std::string, int64_t>> sorted(step.opDelta.begin(), step.opDelta.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) { return std::abs(a.second) > std::abs(b.second); });
  std::string text;
  for (size_t i = 0; i < std::min(shown, sorted.size()); ++i)
    text += (i ? ", " : "") + std::string(sorted[i].second > 0 ? "+" : "") + std::to_string(sorted[i].second) + " " +
            sorted[i].first;
  if (sorted.size() > shown)
    text += ", and " + std::to_string(sorted.size() - shown) + " more";
  return text;
}

/// Display width, counting code points.
size_t width(llvm::StringRef text) {
  return llvm::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; });
}

/// "cse (func.func @main)".
std::string titleOf(const Step &step) { return step.scope.empty() ? step.name : step.name + " (" + step.scope + ")"; }

const char *resultOf(const Step &step) {
  if (step.failed)
    return "FAILED";
  if (step.after < 0)
    return "unknown"; // its result was not dumped
  if (step.before < 0)
    return "first"; // what it started from was not dumped
  return step.changed ? "changed" : "unchanged";
}

std::string renderText(const Recording &recording, llvm::StringRef inputName, StepRange range) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::optional<double> total;
  size_t changed = 0, nameWidth = 4;
  for (const Step &step : recording.steps) {
    if (step.milliseconds)
      total = total.value_or(0) + *step.milliseconds;
    changed += step.changed;
    nameWidth = std::max(nameWidth, std::min<size_t>(width(titleOf(step)), 60));
  }
  os << inputName << ": " << describePipeline(recording) << "\n"
     << recording.steps.size() << (recording.steps.size() == 1 ? " step, " : " steps, ") << changed
     << " changed the IR";
  if (total)
    os << ", " << llvm::format("%.1f", *total) << " ms";
  os << "\n";
  if (!recording.steps.empty())
    os << "\n   #        ms  result     " << llvm::left_justify("step", nameWidth) << "  ops\n";
  for (unsigned index = range.first; index < std::min<size_t>(recording.steps.size(), range.last + uint64_t(1));
       ++index) {
    const Step &step = recording.steps[index];
    std::string title = titleOf(step);
    os << llvm::format("%4u ", index);
    if (step.milliseconds)
      os << llvm::format("%9.2f", *step.milliseconds);
    else
      os << "        -";
    os << llvm::format("  %-9s  ", resultOf(step)) << title;
    std::string delta = describeDelta(step);
    if (!delta.empty()) {
      if (size_t used = width(title); used < nameWidth)
        os.indent(nameWidth - used);
      os << "  " << delta;
    }
    os << '\n';
  }
  for (const auto &[index, step] : llvm::enumerate(recording.steps)) {
    if (step.diagnostics.empty() || index < range.first || index > range.last)
      continue;
    os << "\nstep " << index << ", " << step.name << ":\n";
    for (const Diagnostic &diagnostic : step.diagnostics)
      os << formatDiagnostic(diagnostic) << '\n';
  }
  if (!recording.notes.empty())
    os << (recording.log.empty() ? "\n" : "\nbeside the dumps:\n");
  for (const Diagnostic &note : recording.notes)
    os << formatDiagnostic(note) << '\n';
  return text;
}

std::string renderJson(const Recording &recording, llvm::StringRef inputName, StepRange range) {
  llvm::json::Array steps, notes;
  for (const auto &[index, step] : llvm::enumerate(recording.steps))
    if (index >= range.first && index <= range.last)
      steps.push_back(message::encode(messageOf(step, index)));
  for (const Diagnostic &note : recording.notes)
    notes.push_back(message::encode(message::messageOf(note)));
  bool failed = llvm::any_of(recording.steps, [](const Step &step) { return step.failed; });
  llvm::json::Value report = llvm::json::Object{{"version", 1},
                                                {"input", llvm::json::fixUTF8(inputName)},
                                                {"pipeline", llvm::json::fixUTF8(recording.pipeline)},
                                                {"schedule", llvm::json::fixUTF8(recording.schedule)},
                                                {"log", llvm::json::fixUTF8(recording.log)},
                                                {"failed", failed},
                                                {"steps", std::move(steps)},
                                                {"notes", std::move(notes)}};
  return jsonText(report);
}

} // namespace

llvm::Expected<ReportFormat> parseReportFormat(llvm::StringRef name) {
  if (name == "text")
    return ReportFormat::Text;
  if (name == "json")
    return ReportFormat::Json;
  if (name == "html")
    return ReportFormat::Html;
  return fail("unknown report format '" + name.str() + "'; formats are text, json and html");
}

std::string renderReport(const Recording &recording, llvm::StringRef inputName, ReportFormat format, StepRange range,
                         const std::vector<message::Note<>> &notes) {
  switch (format) {
  case ReportFormat::Text:
    return renderText(recording, inputName, range);
  case ReportFormat::Json:
    return renderJson(recording, inputName, range);
  case ReportFormat::Html:
    return renderHtml(recording, inputName, describePipeline(recording), range, notes);
  }
  return "";
}

llvm::Error writeReport(const Recording &recording, llvm::StringRef inputName, ReportFormat format,
                        llvm::StringRef path, StepRange range, const std::vector<message::Note<>> &notes) {
  return writeOutputFile(path, renderReport(recording, inputName, format, range, notes));
}

} // namespace fuselage
