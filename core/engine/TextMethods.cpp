// text/*, snapshot/*.
#include "core/engine/DocumentMessage.h"
#include "core/engine/Engine.h"
#include "core/engine/LineSearch.h"
#include "core/protocol/Document.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/stepping/report/Report.h"
#include "core/support/OutputFile.h"

namespace fuselage {
namespace {

constexpr int64_t maxLines = 1'000'000;

llvm::Expected<llvm::json::Value> lines(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  int64_t first = params.integer("first", 0, INT32_MAX);
  int64_t count = params.integer("count", 0, INT32_MAX);
  if (llvm::Error error = params.check())
    return error;
  const PrintedModule &printed = (*document)->lines(snapshot);
  message::TextLines<> text{.first = first, .total = int64_t(printed.lineCount()), .lines = {}};
  for (int64_t i = first; i < std::min(text.total, first + std::min(count, maxLines)); ++i)
    text.lines.push_back(printed.line(i).str());
  return message::encode(text);
}

llvm::Expected<llvm::json::Value> find(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  FindRequest wanted = findParams(params);
  if (llvm::Error error = params.check())
    return error;
  const PrintedModule &printed = (*document)->lines(snapshot);
  return findInLines(engine, wanted, printed.lineCount(), [&](unsigned line) { return printed.line(line); });
}

llvm::Expected<llvm::json::Value> opAt(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  const PrintedModule &printed = (*document)->printed(snapshot);
  int64_t line = params.integer("line", 0, int64_t(printed.lineCount()) - 1);
  if (llvm::Error error = params.check())
    return error;
  OpId id = printed.opAt(line);
  LineRange range = printed.linesOf(id);
  return message::encode(
      message::OpAt<>{.id = id, .first = static_cast<int>(range.first), .last = static_cast<int>(range.last)});
}

llvm::Expected<llvm::json::Value> uses(Engine &engine, Params &params) {
  auto asked = indexedSnapshotParam(engine, params);
  if (!asked)
    return asked.takeError();
  std::shared_ptr<OpIndex> index = asked->index;
  const PrintedModule &printed = asked->document->printed(asked->snapshot);
  int64_t line = params.integer("line", 0, int64_t(printed.lineCount()) - 1);
  int64_t column = params.integer("column", 0, INT32_MAX);
  if (llvm::Error error = params.check())
    return error;
  NumberedOps ops{.op = [&](OpId id) { return id < index->count() ? index->op(id) : nullptr; },
                  .id = [&](mlir::Operation *op) { return index->idOf(op); },
                  .name = [&](mlir::Value value) { return index->nameOf(value); }};
  TextUses found = findUses(printed, ops, line, utf8Length(printed.line(line), column));
  return message::encode(usesMessage(found, [&](unsigned at) { return printed.line(at); }));
}

llvm::Expected<llvm::json::Value> save(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned number = snapshotParam(params, **document);
  std::string path = params.string("path");
  bool hasLocations = params.boolean("locations", false);
  if (llvm::Error error = params.check())
    return error;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write the IR to");
  if (llvm::Error error = writeOutputFile(path, fullText(*(*document)->snapshot(number), hasLocations)))
    return error;
  return writtenFile(path);
}

/// What reading a snapshot says; a dump is parsed for it.
llvm::Expected<llvm::json::Value> read(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned number = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  std::string problem;
  if (auto module = (*document)->module(number); !module)
    problem = takeFailure(module.takeError()).message;
  const Snapshot &snapshot = *(*document)->snapshot(number);
  message::SnapshotRead<> message{.parsed = problem.empty(),
                                  .problem = problem,
                                  .gaps = int64_t(snapshot.gaps()),
                                  .tolerated = int64_t(snapshot.tolerated()),
                                  .diagnostics = message::messagesOf(snapshot.diagnostics())};
  for (size_t i = 0; i < message.diagnostics.size(); ++i)
    if (std::optional<unsigned> line = snapshot.lineOf(snapshot.diagnostics()[i])) {
      message.diagnostics[i].op = (*document)->printed(number).opAt(*line);
      message.diagnostics[i].opLine = static_cast<int>(*line);
    }
  return message::encode(message);
}

} // namespace

FindRequest findParams(Params &params) {
  return {.pattern = params.string("pattern"),
          .first = params.integer("first", 0, INT32_MAX, 0),
          .count = params.integer("count", 0, INT32_MAX, 1000)};
}

llvm::Expected<llvm::json::Value> findInLines(Engine &engine, const FindRequest &wanted, unsigned count,
                                              llvm::function_ref<llvm::StringRef(unsigned)> lineAt) {
  auto search = LineSearch::create(wanted.pattern, &engine.cancelled);
  if (!search)
    return search.takeError();
  message::TextMatches<> found;
  for (unsigned i = 0; i < count; ++i) {
    if (engine.cancelled)
      return llvm::make_error<RpcError>(RpcCode::Cancelled, "the search was cancelled");
    llvm::StringRef line = lineAt(i);
    llvm::Error error = search->forEachMatch(line, [&](unsigned begin, unsigned length) {
      if (found.total >= wanted.first && found.total < wanted.first + wanted.count)
        found.matches.push_back({.line = static_cast<int>(i),
                                 .column = static_cast<int>(utf16Length(line, begin)),
                                 .length = static_cast<int>(utf16Length(line.drop_front(begin), length))});
      ++found.total;
    });
    if (error)
      return error;
  }
  return message::encode(found);
}

void addTextMethods(MethodTable &table) {
  table["text/lines"] = lines;
  table["text/find"] = find;
  table["text/opAt"] = opAt;
  table["text/uses"] = uses;
  table["text/save"] = save;
  table["snapshot/read"] = read;
}

} // namespace fuselage
