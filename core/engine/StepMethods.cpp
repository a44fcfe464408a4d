// step/*.
#include "core/engine/Engine.h"
#include "core/engine/StepMessages.h"
#include "core/notes/NotesFile.h"
#include "core/stepping/report/Report.h"
#include "core/support/OutputFile.h"

namespace fuselage {
namespace {

/// What methods on what a step did begin with: the document, and the two sides of the parameter `step`, or `before` and
/// `after` themselves.
struct StepSides {
  Document *document;
  int before, after; ///< snapshots; -1: the log does not have it
  bool areThere() const { return before >= 0 && after >= 0; }
};

llvm::Expected<StepSides> stepParam(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  int64_t before = params.integer("before", -1, UINT32_MAX, -1), after = params.integer("after", -1, UINT32_MAX, -1);
  if (before >= 0 || after >= 0) {
    for (auto [name, number] : {std::pair("before", before), {"after", after}})
      if (!(*document)->hasSnapshot(number))
        params.complain(name, "is no snapshot of the document");
    if (llvm::Error error = params.check())
      return error;
    return StepSides{*document, int(before), int(after)};
  }
  const std::vector<Step> &steps = (*document)->recording().steps;
  unsigned step = params.integer("step", 0, int64_t(steps.size()) - 1);
  if (llvm::Error error = params.check())
    return error;
  return StepSides{*document, int(steps[step].before), int(steps[step].after)};
}

llvm::Expected<llvm::json::Value> textDiff(Engine &engine, Params &params) {
  auto sides = stepParam(engine, params);
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
  auto diff = sides->document->textDiff(sides->before, sides->after);
  return diffToJSON(*diff, sides->document->lines(sides->before), sides->document->lines(sides->after));
}

llvm::Expected<llvm::json::Value> graphDiff(Engine &engine, Params &params) {
  auto sides = stepParam(engine, params);
  if (!sides)
    return sides.takeError();
  if (!sides->areThere())
    return message::encode(message::GraphDiff<>());
  auto diff = sides->document->graphDiff(sides->before, sides->after);
  if (!diff)
    return diff.takeError();
  return message::encode(messageOf(**diff));
}

llvm::Expected<llvm::json::Value> exportReport(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  std::string path = params.string("path");
  std::string format = params.string("format", "html");
  if (llvm::Error error = params.check())
    return error;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write the report to");
  auto parsed = parseReportFormat(format);
  if (!parsed)
    return parsed.takeError();
  message::Notes<> notes;
  if (*parsed == ReportFormat::Html)
    notes = loadNotes((*document)->toolSource().empty() ? (*document)->path() : (*document)->toolSource());
  if (llvm::Error error = writeReport((*document)->recording(), (*document)->path(), *parsed, path, {}, notes.notes))
    return error;
  return writtenFile(path);
}

llvm::Expected<llvm::json::Value> writeReproducer(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  std::string pipeline = params.string("pipeline", "");
  int64_t steps = (*document)->recording().steps.size();
  unsigned step = params.integer("step", 0, pipeline.empty() ? steps - 1 : steps);
  std::string path = params.string("path");
  if (llvm::Error error = params.check())
    return error;
  auto text = stepReproducer((*document)->recording(), step, pipeline);
  if (!text)
    return text.takeError();
  if (llvm::Error error = writeOutputFile(path, *text))
    return error;
  return writtenFile(path);
}

} // namespace

void addStepMethods(MethodTable &table) {
  table["step/diff"] = textDiff;
  table["step/graphDiff"] = graphDiff;
  table["step/export"] = exportReport;
  table["step/reproducer"] = writeReproducer;
}

} // namespace fuselage
