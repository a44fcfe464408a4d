#include "core/stepping/Report.h"
#include "core/stepping/HtmlReport.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

std::string describePipeline(const Recording &recording) {
  if (!recording.schedule.empty())
    return "schedule " + recording.schedule;
  return recording.pipeline.empty() ? "default pipeline" : "pipeline " + recording.pipeline;
}

/// "-12 linalg.fill, +3 arith.constant, ..., 4 more", the largest first.
std::string describeDelta(const Step &step) {
  constexpr size_t shown = 5;
  std::vector<std::pair<std::string, int64_t>> sorted(step.opDelta.begin(), step.opDelta.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
    return std::abs(a.second) > std::abs(b.second);
  });
  std::string text;
  for (size_t i = 0; i < std::min(shown, sorted.size()); ++i)
    text += (i ? ", " : "") + std::string(sorted[i].second > 0 ? "+" : "") +
            std::to_string(sorted[i].second) + " " + sorted[i].first;
  if (sorted.size() > shown)
    text += ", and " + std::to_string(sorted.size() - shown) + " more";
  return text;
}

/// Display width, counting code points.
size_t width(llvm::StringRef text) {
  return llvm::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; });
}

std::string renderText(const Recording &recording, llvm::StringRef inputName) {
  std::string text;
  llvm::raw_string_ostream os(text);
  double total = 0;
  size_t changed = 0, nameWidth = 4;
  for (const Step &step : recording.steps) {
    total += step.milliseconds;
    changed += step.changed;
    nameWidth = std::max(nameWidth, std::min<size_t>(width(step.name), 60));
  }
  os << inputName << ": " << describePipeline(recording) << "\n"
     << recording.steps.size() << " steps, " << changed << " changed the IR, "
     << llvm::format("%.1f", total) << " ms\n\n";
  os << "   #        ms  result     " << llvm::left_justify("step", nameWidth) << "  ops\n";
  for (const auto &[index, step] : llvm::enumerate(recording.steps)) {
    const char *result = step.failed ? "FAILED" : step.changed ? "changed" : "unchanged";
    os << llvm::format("%4u %9.2f  %-9s  ", unsigned(index), step.milliseconds, result) << step.name;
    std::string delta = describeDelta(step);
    if (!delta.empty()) {
      if (size_t used = width(step.name); used < nameWidth)
        os.indent(nameWidth - used);
      os << "  " << delta;
    }
    os << '\n';
  }
  for (const auto &[index, step] : llvm::enumerate(recording.steps)) {
    if (step.diagnostics.empty())
      continue;
    os << "\nstep " << index << ", " << step.name << ":\n";
    for (const Diagnostic &diagnostic : step.diagnostics)
      os << formatDiagnostic(diagnostic) << '\n';
  }
  return text;
}

std::string renderJson(const Recording &recording, llvm::StringRef inputName) {
  llvm::json::Array steps;
  for (const auto &[index, step] : llvm::enumerate(recording.steps))
    steps.push_back(toJSON(step, index));
  bool failed = !recording.steps.empty() && recording.steps.back().failed;
  llvm::json::Value report =
      llvm::json::Object{{"version", 1},
                         {"input", llvm::json::fixUTF8(inputName)},
                         {"pipeline", llvm::json::fixUTF8(recording.pipeline)},
                         {"schedule", llvm::json::fixUTF8(recording.schedule)},
                         {"failed", failed},
                         {"steps", std::move(steps)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n", report);
  return text;
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

std::string renderReport(const Recording &recording, llvm::StringRef inputName,
                         ReportFormat format) {
  switch (format) {
  case ReportFormat::Text:
    return renderText(recording, inputName);
  case ReportFormat::Json:
    return renderJson(recording, inputName);
  case ReportFormat::Html:
    return renderHtml(recording, inputName, describePipeline(recording));
  }
  return "";
}

llvm::Error writeReport(const Recording &recording, llvm::StringRef inputName, ReportFormat format,
                        llvm::StringRef path) {
  return writeOutputFile(path, renderReport(recording, inputName, format));
}

} // namespace fuselage
