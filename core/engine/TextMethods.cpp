// text/*, snapshot/*.
#include "core/engine/Engine.h"
#include "core/engine/LineSearch.h"

namespace fuselage {
namespace {

constexpr int64_t maxLines = 1'000'000;

/// The parameter `snapshot`, in range.
unsigned snapshotParam(Params &params, const Document &document) {
  return params.integer("snapshot", 0, int64_t(document.snapshotCount()) - 1);
}

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
  int64_t total = printed.lineCount();
  llvm::json::Array lines;
  for (int64_t i = first; i < std::min(total, first + std::min(count, maxLines)); ++i)
    lines.push_back(llvm::json::fixUTF8(printed.line(i)));
  return llvm::json::Object{{"first", first}, {"total", total}, {"lines", std::move(lines)}};
}

llvm::Expected<llvm::json::Value> find(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  std::string pattern = params.string("pattern");
  int64_t first = params.integer("first", 0, INT32_MAX, 0);
  int64_t count = params.integer("count", 0, INT32_MAX, 1000);
  if (llvm::Error error = params.check())
    return error;
  auto search = LineSearch::create(pattern, &engine.cancelled);
  if (!search)
    return search.takeError();
  const PrintedModule &printed = (*document)->lines(snapshot);
  llvm::json::Array matches;
  int64_t total = 0;
  for (unsigned i = 0; i < printed.lineCount(); ++i) {
    if (engine.cancelled)
      return llvm::make_error<RpcError>(RpcCode::Cancelled, "the search was cancelled");
    llvm::StringRef line = printed.line(i);
    llvm::Error error = search->forEachMatch(line, [&](unsigned begin, unsigned length) {
      if (total >= first && total < first + count)
        matches.push_back(llvm::json::Object{
            {"line", i},
            {"column", utf16Length(line, begin)},
            {"length", utf16Length(line.drop_front(begin), length)}});
      ++total;
    });
    if (error)
      return error;
  }
  return llvm::json::Object{{"matches", std::move(matches)}, {"total", total}};
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
  return llvm::json::Object{
      {"id", id}, {"first", int64_t(range.first)}, {"last", int64_t(range.last)}};
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
  const Snapshot &snapshot = *(*document)->recording().snapshots[number];
  llvm::json::Array diagnostics;
  for (const Diagnostic &diagnostic : snapshot.diagnostics()) {
    llvm::json::Value json = toJSON(diagnostic);
    if (std::optional<unsigned> line = snapshot.lineOf(diagnostic)) {
      (*json.getAsObject())["op"] = (*document)->printed(number).opAt(*line);
      (*json.getAsObject())["op_line"] = *line;
    }
    diagnostics.push_back(std::move(json));
  }
  return llvm::json::Object{{"parsed", problem.empty()},
                            {"problem", llvm::json::fixUTF8(problem)},
                            {"gaps", int64_t(snapshot.gaps())},
                            {"tolerated", int64_t(snapshot.tolerated())},
                            {"diagnostics", std::move(diagnostics)}};
}

} // namespace

void addTextMethods(MethodTable &table) {
  table["text/lines"] = lines;
  table["text/find"] = find;
  table["text/opAt"] = opAt;
  table["snapshot/read"] = read;
}

} // namespace fuselage
