// step/*.
#include "core/protocol/methods/StepMethods.h"
#include "core/engine/MethodTable.h"
#include "core/engine/StepMessages.h"
#include "core/notes/NotesFile.h"
#include "core/stepping/report/Report.h"
#include "core/support/OutputFile.h"
#include "core/support/TrialRun.h"

namespace fuselage {
namespace {

/// The two sides of the request's step, or `before` and `after` themselves.
struct StepSides {
  int before, after; ///< snapshots; -1: the log does not have it
  bool areThere() const { return before >= 0 && after >= 0; }
};

llvm::Expected<StepSides> sidesOf(const Document &document, const method::DiffText::Request<> &request) {
  int64_t before = request.before, after = request.after;
  if (before >= 0 || after >= 0) {
    for (auto [name, number] : {std::pair("before", before), {"after", after}})
      if (!document.hasSnapshot(number))
        return badParameter(name, "is no snapshot of the document");
    return StepSides{int(before), int(after)};
  }
  const std::vector<Step> &steps = document.recording().steps;
  if (!request.step)
    return badParameter("step", "is missing; it must be an integer");
  if (llvm::Error error = checkRange("step", *request.step, 0, int64_t(steps.size()) - 1))
    return error;
  return StepSides{int(steps[*request.step].before), int(steps[*request.step].after)};
}

llvm::Expected<llvm::json::Value> textDiff(Engine &engine, Document &document,
                                           const method::DiffText::Request<> &request) {
  auto sides = sidesOf(document, request);
  if (!sides)
    return sides.takeError();
  if (!sides->areThere())
    return llvm::json::Object{{"rows", llvm::json::Array()},
                              {"added", 0},
                              {"removed", 0},
                              {"changed", 0},
                              {"leftLines", 0},
                              {"rightLines", 0},
                              {"missing", sides->before < 0 ? "before" : "after"}};
  // Of a large module, printing takes as long as comparing.
  for (int side : {sides->before, sides->after})
    if (document.lines(side); engine.cancelled)
      return fail("comparing the texts was cancelled");
  auto diff = document.textDiff(sides->before, sides->after);
  if (engine.cancelled)
    return fail("comparing the texts was cancelled");
  return diffToJSON(*diff, document.lines(sides->before), document.lines(sides->after));
}

llvm::Expected<message::GraphDiff<>> graphDiff(Engine &, Document &document,
                                               const method::DiffGraph::Request<> &request) {
  auto sides = sidesOf(document, request);
  if (!sides)
    return sides.takeError();
  if (!sides->areThere())
    return message::GraphDiff<>();
  auto diff = document.graphDiff(sides->before, sides->after);
  if (!diff)
    return diff.takeError();
  return messageOf(**diff);
}

/// A page with all texts and pictures of a large module takes seconds: a copy of the process makes it, which ends as
/// soon as it is cancelled.
llvm::Expected<std::string> renderInCopy(Engine &engine, Document &document, ReportFormat format,
                                         const std::vector<message::Note<>> &notes) {
  const TrialLimits limits{.seconds = 600, .bytes = uint64_t(8) << 30, .cancelled = &engine.cancelled};
  auto render = [&] { return renderReport(document.recording(), document.path(), format, {}, notes); };
  std::optional<TrialResult> copy = runInCopy(limits, [&](llvm::raw_ostream &out) { out << render(); });
  if (!copy)
    return render();
  if (copy->death)
    return fail("making the report " + *copy->death);
  return std::move(copy->output);
}

llvm::Expected<message::WrittenFile<>> exportReport(Engine &engine, Document &document,
                                                    const method::ExportReport::Request<> &request) {
  const std::string &path = request.path;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write the report to");
  auto parsed = parseReportFormat(request.format);
  if (!parsed)
    return parsed.takeError();
  message::Notes<> notes;
  if (*parsed == ReportFormat::Html)
    notes = loadNotes(document.toolSource().empty() ? document.path() : document.toolSource());
  llvm::Expected<std::string> report = renderInCopy(engine, document, *parsed, notes.notes);
  if (!report)
    return report.takeError();
  if (llvm::Error error = writeOutputFile(path, *report))
    return error;
  return message::WrittenFile<>{.path = request.path};
}

llvm::Expected<message::WrittenFile<>> writeReproducer(Engine &, Document &document,
                                                       const method::WriteReproducer::Request<> &request) {
  int64_t steps = document.recording().steps.size();
  if (llvm::Error error = checkRange("step", request.step, 0, request.pipeline.empty() ? steps - 1 : steps))
    return error;
  auto text = stepReproducer(document.recording(), static_cast<unsigned>(request.step), request.pipeline);
  if (!text)
    return text.takeError();
  if (llvm::Error error = writeOutputFile(request.path, *text))
    return error;
  return message::WrittenFile<>{.path = request.path};
}

} // namespace

void addStepMethods(MethodTable &table) {
  addMethod<method::DiffText, textDiff>(table);
  addMethod<method::DiffGraph, graphDiff>(table);
  addMethod<method::ExportReport, exportReport>(table);
  addMethod<method::WriteReproducer, writeReproducer>(table);
}

} // namespace fuselage
