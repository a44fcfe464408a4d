#include "core/stepping/report/ScheduleHtml.h"
#include "core/schedules/report/TraceReport.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

namespace fuselage {

extern const char *const reportPage; // for its colours

namespace {

constexpr size_t maxSteps = 5000;      // rows of the page
constexpr size_t maxRows = 400;        // of one diff
constexpr size_t maxAllRows = 100'000; // of all diffs
constexpr int contextLines = 3;

constexpr llvm::StringLiteral style = R"css(
body { display: block; height: auto; padding: 0 0 4rem; }
header { display: block; padding: .8rem 1.2rem; }
main { overflow: visible; }
details { border-bottom: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 3.2rem 6rem 7rem 3.4rem 1fr; gap: .6rem; padding: .2rem .4rem; cursor: pointer; }
summary:hover { background: var(--panel); }
summary .number, summary .ms, summary .line { color: var(--muted); text-align: right; font-variant-numeric: tabular-nums; }
summary code { white-space: pre-wrap; overflow-wrap: anywhere; }
.failed > summary .result, .FAILED > summary .result { color: var(--bad); font-weight: 600; }
.changed > summary .result { color: var(--accent); }
.unchanged > summary, .ok > summary { color: var(--muted); }
.inside { padding: .2rem 1rem 1rem 4rem; }
table.handles { border-collapse: collapse; margin: .4rem 0; }
table.handles td, table.handles th { text-align: left; padding: .1rem .8rem .1rem 0; vertical-align: top; }
.dead { color: var(--bad); }
)css";

/// Text that may stand between tags or in an attribute.
std::string escaped(llvm::StringRef text) {
  std::string safe;
  llvm::raw_string_ostream os(safe);
  llvm::printHTMLEscaped(printable(text), os);
  return safe;
}

class Page {
public:
  Page(const Script &script, const Trace &trace, const std::vector<message::LineForms<>> &forms)
      : script_(script), trace_(trace), told_(messageOf(script, trace)) {
    for (const message::LineForms<> &line : forms)
      forms_[line.line] = llvm::join(line.forms, ", ");
  }

  std::string render(llvm::StringRef payload) {
    std::string name = llvm::sys::path::filename(script_.path).str();
    llvm::StringRef colours = llvm::StringRef(reportPage).split("<style>").second.split("</style>").first;
    os_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" "
           "content=\"Fuselage\">\n"
        << "<title>" << escaped(name) << "</title>\n<style>" << colours << style
        << "</style>\n</head>\n<body>\n<header>\n<h1>" << escaped(name) << " on "
        << escaped(llvm::sys::path::filename(payload)) << "</h1>\n<p class=\"facts\">"
        << llvm::count_if(trace_.steps, [](const TraceStep &step) { return !step.isEnd; }) << " applications, "
        << llvm::formatv("{0:f1} ms", trace_.milliseconds) << (trace_.failed ? ", it failed" : "")
        << "</p>\n</header>\n<main>\n";
    writeProblems(trace_.diagnostics);
    size_t written = 0;
    for (unsigned i = 0; i < trace_.steps.size() && written < maxSteps; ++i)
      if (!trace_.steps[i].isEnd || !trace_.steps[i].diagnostics.empty()) {
        writeStep(i);
        ++written;
      }
    if (written == maxSteps)
      os_ << "<p class=\"facts\">The first " << maxSteps << " applications; the others are left out.</p>\n";
    os_ << "</main>\n</body>\n</html>\n";
    return std::move(text_);
  }

private:
  const NamedPayload &printed(mlir::ModuleOp module) {
    auto &known = printed_[module.getOperation()];
    if (!known)
      known = std::make_unique<NamedPayload>(module);
    return *known;
  }
  mlir::ModuleOp payloadAt(unsigned step) {
    if (step >= trace_.positions.size())
      return trace_.result ? mlir::ModuleOp(*trace_.result) : mlir::ModuleOp();
    return trace_.positions[step] ? mlir::ModuleOp(**trace_.positions[step]->payload) : mlir::ModuleOp();
  }

  static const char *resultOf(const message::ScheduleStep<> &step) {
    if (step.outcome == "success")
      return !step.changed ? "ok" : *step.changed ? "changed" : "unchanged";
    return step.outcome == "silenceable" ? (step.suppressed ? "suppressed" : "failed")
           : step.outcome == "definite"  ? "FAILED"
                                         : "stopped";
  }

  void writeProblems(const std::vector<Diagnostic> &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics)
      os_ << "<div class=\"problem " << severityName(diagnostic.severity) << "\">"
          << escaped(formatDiagnostic(diagnostic)) << "</div>\n";
  }

  void writeStep(unsigned index) {
    const message::ScheduleStep<> &step = told_.steps[index];
    const char *result = resultOf(step);
    bool isOpen = !trace_.steps[index].diagnostics.empty();
    os_ << "<details class=\"" << result << "\"" << (isOpen ? " open" : "") << "><summary><span class=\"number\">"
        << index << "</span><span class=\"ms\">" << llvm::formatv("{0:f2} ms", step.milliseconds)
        << "</span><span class=\"result\">" << result << "</span><span class=\"line\">"
        << (step.line > 0 ? std::to_string(step.line) : "")
        << "</span><code style=\"padding-left:" << std::min(step.depth, 20) << "rem\">" << escaped(step.text)
        << (step.iteration > 0 ? " <span class=\"facts\">iteration " + std::to_string(step.iteration) + "</span>" : "")
        << "</code></summary>\n<div class=\"inside\">\n";
    writeProblems(trace_.steps[index].diagnostics);
    if (index < trace_.positions.size() && trace_.positions[index])
      writePosition(index);
    os_ << "</div></details>\n";
  }

  void writePosition(unsigned index) {
    std::vector<unsigned> frames = trace_.framesOf(index);
    for (unsigned frame : llvm::reverse(frames))
      os_ << "<p class=\"facts\">in line " << told_.steps[frame].line << ": <code>" << escaped(told_.steps[frame].text)
          << "</code></p>\n";
    const std::vector<HandleRow> &handles = trace_.positions[index]->handles;
    if (auto known = forms_.find(told_.steps[index].line);
        known != forms_.end() && told_.steps[index].file == script_.path)
      os_ << "<p class=\"facts\">known to hold: " << escaped(known->second) << "</p>\n";
    if (!handles.empty())
      os_ << "<table class=\"handles\"><tr><th>handle</th><th>holds</th><th>type</th></tr>\n";
    for (const HandleRow &row : handles)
      os_ << "<tr><td><code>" << escaped(row.name) << "</code></td><td"
          << (row.fate.state == HandleFate::State::Live ? "" : " class=\"dead\"") << ">"
          << escaped(describeHandle(script_, trace_, row, printed(payloadAt(index)))) << "</td><td><code>"
          << escaped(row.type) << "</code></td></tr>\n";
    if (!handles.empty())
      os_ << "</table>\n";
    const TraceStep &step = trace_.steps[index];
    if (step.changed.value_or(true) && step.next == index + 1)
      writeDiff(payloadAt(index), payloadAt(step.next));
  }

  void writeLine(llvm::StringRef side, const PrintedModule &text, int line, const std::vector<Span> &words) {
    os_ << "<td class=\"n\">" << (line < 0 ? "" : std::to_string(line + 1)) << "</td><td class=\"" << side << "\">";
    llvm::StringRef content = line < 0 ? llvm::StringRef() : text.line(line);
    unsigned at = 0;
    for (const Span &span : words) {
      unsigned begin = std::min<size_t>(span.begin, content.size()), end = std::min<size_t>(span.end, content.size());
      os_ << escaped(content.slice(at, begin)) << "<mark>" << escaped(content.slice(begin, end)) << "</mark>";
      at = end;
    }
    os_ << escaped(content.drop_front(at)) << "</td>";
  }

  /// What lies within a few lines of a change.
  void writeDiff(mlir::ModuleOp before, mlir::ModuleOp after) {
    if (!before || !after || before == after || allRows_ > maxAllRows)
      return;
    const PrintedModule &left = printed(before).printed, &right = printed(after).printed;
    TextDiff diff = diffTexts(left.text(), right.text());
    std::vector<bool> shown(diff.rows.size());
    for (int i = 0, count = diff.rows.size(); i < count; ++i)
      if (diff.rows[i].kind != DiffRow::Kind::Same)
        for (int j = std::max(0, i - contextLines); j < std::min(count, i + contextLines + 1); ++j)
          shown[j] = true;
    constexpr const char *kinds[] = {"same", "added", "removed", "changed"};
    os_ << "<div class=\"diff\"><table><colgroup><col class=\"n\"><col><col class=\"n\"><col></colgroup>\n";
    size_t rows = 0;
    for (size_t i = 0; i < diff.rows.size() && rows < maxRows; ++i) {
      const DiffRow &row = diff.rows[i];
      if (!shown[i]) {
        if (i > 0 && shown[i - 1])
          os_ << "<tr class=\"fold\"><td colspan=\"4\">&#8943;</td></tr>\n";
        continue;
      }
      ++rows;
      os_ << "<tr class=\"" << kinds[size_t(row.kind)] << "\">";
      writeLine("l", left, row.left, row.leftWords);
      writeLine("r", right, row.right, row.rightWords);
      os_ << "</tr>\n";
    }
    os_ << "</table></div>\n<p class=\"facts\">" << diff.added << " lines added, " << diff.removed << " removed, "
        << diff.changed << " changed" << (rows == maxRows ? "; the rest is left out" : "") << "</p>\n";
    allRows_ += rows;
  }

  const Script &script_;
  const Trace &trace_;
  message::ScheduleTrace<> told_;
  std::map<int, std::string> forms_; ///< by line
  std::map<mlir::Operation *, std::unique_ptr<NamedPayload>> printed_;
  size_t allRows_ = 0;
  std::string text_;
  llvm::raw_string_ostream os_{text_};
};

} // namespace

std::string renderHtml(const Script &script, const Trace &trace, llvm::StringRef payload,
                       const std::vector<message::LineForms<>> &forms) {
  return Page(script, trace, forms).render(payload);
}

} // namespace fuselage
