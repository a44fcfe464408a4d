// text/*, snapshot/*.
#include "core/protocol/methods/TextMethods.h"
#include "core/engine/DocumentMessage.h"
#include "core/engine/LineSearch.h"
#include "core/engine/MethodTable.h"
#include "core/protocol/Document.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/stepping/report/Report.h"
#include "core/support/OutputFile.h"

namespace fuselage {
namespace {

constexpr int64_t maxLines = 1'000'000;

llvm::Expected<message::TextLines<>> lines(Engine &, Document &document, const method::TextLines::Request<> &request) {
  unsigned snapshot = request.snapshot;
  const PrintedModule &printed = document.lines(snapshot);
  message::TextLines<> text{.first = request.first, .total = int64_t(printed.lineCount()), .lines = {}};
  for (int64_t i = text.first; i < std::min(text.total, text.first + std::min(request.count, maxLines)); ++i)
    text.lines.push_back(printed.line(i).str());
  return text;
}

llvm::Expected<message::TextMatches<>> find(Engine &engine, Document &document,
                                            const method::FindText::Request<> &request) {
  unsigned snapshot = request.snapshot;
  const PrintedModule &printed = document.lines(snapshot);
  return findInLines(engine, request, printed.lineCount(), [&](unsigned line) { return printed.line(line); });
}

llvm::Expected<message::OpAt<>> opAt(Engine &, Document &document, const method::OpAtLine::Request<> &request) {
  unsigned snapshot = request.snapshot;
  const PrintedModule &printed = document.printed(snapshot);
  if (llvm::Error error = checkRange("line", request.line, 0, int64_t(printed.lineCount()) - 1))
    return error;
  OpId id = printed.opAt(request.line);
  LineRange range = printed.linesOf(id);
  return message::OpAt<>{.id = id, .first = static_cast<int>(range.first), .last = static_cast<int>(range.last)};
}

llvm::Expected<message::TextUses<>> uses(Engine &, const IndexedSnapshot &asked,
                                         const method::TextUses::Request<> &request) {
  std::shared_ptr<OpIndex> index = asked.index;
  const PrintedModule &printed = asked.document.printed(asked.snapshot);
  if (llvm::Error error = checkRange("line", request.line, 0, int64_t(printed.lineCount()) - 1))
    return error;
  NumberedOps ops{.op = [&](OpId id) { return id < index->count() ? index->op(id) : nullptr; },
                  .id = [&](mlir::Operation *op) { return index->idOf(op); },
                  .name = [&](mlir::Value value) { return index->nameOf(value); }};
  TextUses found = findUses(printed, ops, request.line, utf8Length(printed.line(request.line), request.column));
  return usesMessage(found, [&](unsigned at) { return printed.line(at); });
}

llvm::Expected<message::WrittenFile<>> save(Engine &, Document &document, const method::SaveText::Request<> &request) {
  const std::string &path = request.path;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write the IR to");
  if (llvm::Error error = writeOutputFile(path, fullText(*document.snapshot(request.snapshot), request.locations)))
    return error;
  return message::WrittenFile<>{.path = path};
}

/// What reading a snapshot says; a dump is parsed for it.
llvm::Expected<message::SnapshotRead<>> read(Engine &, Document &document,
                                             const method::ReadSnapshot::Request<> &request) {
  unsigned number = request.snapshot;
  std::string problem;
  if (auto module = document.module(number); !module)
    problem = takeFailure(module.takeError()).message;
  const Snapshot &snapshot = *document.snapshot(number);
  message::SnapshotRead<> message{.parsed = problem.empty(),
                                  .problem = problem,
                                  .gaps = int64_t(snapshot.gaps()),
                                  .tolerated = int64_t(snapshot.tolerated()),
                                  .diagnostics = message::messagesOf(snapshot.diagnostics())};
  for (size_t i = 0; i < message.diagnostics.size(); ++i)
    if (std::optional<unsigned> line = snapshot.lineOf(snapshot.diagnostics()[i])) {
      message.diagnostics[i].op = document.printed(number).opAt(*line);
      message.diagnostics[i].opLine = static_cast<int>(*line);
    }
  return message;
}

} // namespace

llvm::Expected<message::TextMatches<>> findInLines(Engine &engine, const method::FindText::Request<> &wanted,
                                                   unsigned count,
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
  return found;
}

void addTextMethods(MethodTable &table) {
  addMethod<method::TextLines, lines>(table);
  addMethod<method::FindText, find>(table);
  addMethod<method::OpAtLine, opAt>(table);
  addMethod<method::TextUses, uses>(table);
  addMethod<method::SaveText, save>(table);
  addMethod<method::ReadSnapshot, read>(table);
}

} // namespace fuselage
