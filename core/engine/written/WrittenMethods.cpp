// text/source, text/sourceFind, text/sourceUses, text/opFrom, text/sourceOf.
#include "core/engine/DocumentMessage.h"
#include "core/engine/MethodTable.h"
#include "core/engine/written/AsWritten.h"
#include "core/protocol/Document.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace fuselage {
namespace {

/// Weights that are written out make lines of megabytes, which nobody reads.
constexpr size_t kMostOfLine = 64 << 10, kMostOfManyLines = 4 << 10, kManyBytes = 16 << 20;
constexpr int64_t kMostLines = 4096;

std::string shown(StringRef line, size_t most) {
  if (line.size() <= most)
    return llvm::json::fixUTF8(line);
  return llvm::json::fixUTF8(line.take_front(most)) + "... " + std::to_string(line.size() - most) + " bytes more";
}

llvm::Expected<message::SourceLines<>> source(Engine &, Document &document,
                                              const method::SourceLines::Request<> &request) {
  int64_t first = request.first, count = std::min(request.count, kMostLines);
  message::SourceLines<> reply;
  reply.first = first;
  auto text = AsWritten::of(document, request.snapshot);
  if (!text) {
    reply.problem = takeFailure(text.takeError()).message;
    return reply;
  }
  reply.snapshot = (*text)->basis();
  reply.file = (*text)->file();
  reply.total = (*text)->lineCount();
  for (auto [row, line] : (*text)->runs())
    reply.runs.push_back({.row = static_cast<int>(row), .line = static_cast<int>(line)});
  size_t bytes = 0;
  for (int64_t row = first; row < std::min(reply.total, first + count); ++row) {
    reply.lines.push_back(shown((*text)->line(row), bytes < kManyBytes ? kMostOfLine : kMostOfManyLines));
    bytes += reply.lines.back().size();
  }
  return reply;
}

llvm::Expected<message::TextMatches<>> sourceFind(Engine &engine, Document &document,
                                                  const method::FindSource::Request<> &request) {
  auto text = AsWritten::of(document, request.snapshot);
  if (!text)
    return text.takeError();
  return findInLines(engine, request, (*text)->lineCount(), [&](unsigned row) { return (*text)->line(row); });
}

void addRange(message::SourceOps<> &reply, LineRange lines) {
  message::SourceRange<> range{.first = static_cast<int>(lines.first), .last = static_cast<int>(lines.last)};
  auto isSame = [&](const message::SourceRange<> &other) {
    return other.first == range.first && other.last == range.last;
  };
  if (llvm::none_of(reply.ranges, isSame))
    reply.ranges.push_back(range);
}

/// Of an op that is not written, such as one in the region of a named op, those of the op around it.
void addLines(message::SourceOps<> &reply, AsWritten &text, Document &document, OpIndex &index, OpId id) {
  for (mlir::Operation *op = index.op(id); op; op = op->getParentOp())
    if (auto lines = text.linesOf(document, index.idOf(op)))
      return addRange(reply, *lines);
}

llvm::Expected<message::SourceOps<>> opFrom(Engine &, const IndexedSnapshot &asked,
                                            const method::OpsFromSource::Request<> &request) {
  Document &document = asked.document;
  auto text = AsWritten::of(document, asked.snapshot);
  if (!text)
    return text.takeError();
  if (llvm::Error error = checkRange("line", request.line, 0, std::max<int64_t>((*text)->lineCount(), 1) - 1))
    return error;
  message::SourceOps<> reply;
  OpId id = (*text)->lineCount() == 0 ? -1 : (*text)->opAt(document, request.line);
  if (id < 0)
    return reply;
  if (auto lines = (*text)->linesOf(document, id))
    addRange(reply, *lines);
  if ((*text)->basis() == asked.snapshot) {
    reply.ids.push_back(id);
  } else {
    auto basis = document.index((*text)->basis());
    if (!basis)
      return basis.takeError();
    for (OpId found : asked.index->opsAt((*basis)->op(id)->getLoc()))
      reply.ids.push_back(found);
  }
  return reply;
}

llvm::Expected<message::SourceOps<>> sourceOf(Engine &, const IndexedSnapshot &asked,
                                              const method::SourceOfLine::Request<> &request) {
  Document &document = asked.document;
  const PrintedModule &printed = document.printed(asked.snapshot);
  if (llvm::Error error = checkRange("line", request.line, 0, int64_t(printed.lineCount()) - 1))
    return error;
  OpId id = printed.opAt(request.line);
  auto text = AsWritten::of(document, asked.snapshot);
  if (!text)
    return text.takeError();
  auto basis = document.index((*text)->basis());
  if (!basis)
    return basis.takeError();
  message::SourceOps<> reply;
  reply.ids.push_back(id);
  if ((*text)->basis() == asked.snapshot)
    addLines(reply, **text, document, **basis, id);
  else
    for (OpId origin : (*basis)->opsAt(asked.index->op(id)->getLoc()))
      addLines(reply, **text, document, **basis, origin);
  return reply;
}

/// The function around a row, as it is written.
LineRange functionAround(AsWritten &text, Document &document, OpIndex &index, unsigned row) {
  LineRange all{0, text.lineCount() - 1};
  OpId id = text.opAt(document, row);
  mlir::Operation *op = id < 0 ? nullptr : index.op(id);
  while (op && op->getParentOp() && !op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
    op = op->getParentOp();
  return op && op->getParentOp() ? text.linesOf(document, index.idOf(op)).value_or(all) : all;
}

llvm::Expected<message::TextUses<>> sourceUses(Engine &, Document &document,
                                               const method::SourceUses::Request<> &request) {
  auto text = AsWritten::of(document, request.snapshot);
  if (!text)
    return text.takeError();
  if (llvm::Error error = checkRange("line", request.line, 0, std::max<int64_t>((*text)->lineCount(), 1) - 1))
    return error;
  unsigned row = request.line;
  message::TextUses<> reply;
  if ((*text)->lineCount() == 0)
    return reply;
  LineRange around{0, (*text)->lineCount() - 1};
  if (auto index = document.index((*text)->basis()))
    around = functionAround(**text, document, **index, row);
  else
    llvm::consumeError(index.takeError()); // a dump that does not parse: all of it
  auto lineAt = [&](unsigned line) { return (*text)->line(line); };
  return usesMessage(findUsesByName(lineAt, (*text)->lineCount(), around, row, utf8Length(lineAt(row), request.column)),
                     lineAt);
}

} // namespace

void addWrittenMethods(MethodTable &table) {
  addMethod<method::SourceLines, source>(table);
  addMethod<method::FindSource, sourceFind>(table);
  addMethod<method::SourceUses, sourceUses>(table);
  addMethod<method::OpsFromSource, opFrom>(table);
  addMethod<method::SourceOfLine, sourceOf>(table);
}

} // namespace fuselage
