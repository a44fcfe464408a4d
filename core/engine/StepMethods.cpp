// step/*.
#include "core/engine/Engine.h"
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

llvm::json::Array spansToJSON(const std::vector<Span> &spans, llvm::StringRef line) {
  llvm::json::Array array;
  for (const Span &span : spans) {
    array.push_back(utf16Length(line, span.begin));
    array.push_back(utf16Length(line, span.end));
  }
  return array;
}

/// Rows as arrays; runs of equal lines as one row of kind 4.
llvm::json::Array rowsToJSON(const TextDiff &diff, const std::vector<std::string> &left,
                             const std::vector<std::string> &right) {
  constexpr int runOfSame = 4;
  llvm::json::Array rows;
  for (size_t i = 0; i < diff.rows.size();) {
    const DiffRow &row = diff.rows[i];
    if (row.kind == DiffRow::Kind::Same) {
      size_t end = i;
      while (end < diff.rows.size() && diff.rows[end].kind == DiffRow::Kind::Same)
        ++end;
      rows.push_back(llvm::json::Array{runOfSame, row.left, row.right, int64_t(end - i)});
      i = end;
      continue;
    }
    bool changed = row.kind == DiffRow::Kind::Changed;
    rows.push_back(llvm::json::Array{
        int(row.kind), row.left, row.right,
        changed ? spansToJSON(row.leftWords, left[row.left]) : llvm::json::Array(),
        changed ? spansToJSON(row.rightWords, right[row.right]) : llvm::json::Array()});
    ++i;
  }
  return rows;
}

/// The lines that changed rows refer to; others stay empty.
std::vector<std::string> changedLines(const PrintedModule &printed, const TextDiff &diff,
                                      int DiffRow::*side) {
  std::vector<std::string> lines(printed.lineCount());
  for (const DiffRow &row : diff.rows)
    if (row.kind == DiffRow::Kind::Changed)
      lines[row.*side] = printed.line(row.*side).str();
  return lines;
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
  std::vector<std::string> left =
      changedLines(sides->document->lines(sides->before), *diff, &DiffRow::left);
  std::vector<std::string> right =
      changedLines(sides->document->lines(sides->after), *diff, &DiffRow::right);
  return llvm::json::Object{{"rows", rowsToJSON(*diff, left, right)},
                            {"added", int64_t(diff->added)},
                            {"removed", int64_t(diff->removed)},
                            {"changed", int64_t(diff->changed)},
                            {"leftLines", int64_t(left.size())},
                            {"rightLines", int64_t(right.size())}};
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
