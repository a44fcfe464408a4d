// trace/*: a trace that is open beside the document.
#include "core/protocol/methods/TraceMethods.h"
#include "core/engine/MethodTable.h"
#include "core/trace/TraceFile.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {
namespace {

llvm::Expected<message::TraceSummary<>> open(Engine &engine, const method::OpenTrace::Request<> &request) {
  if (request.path == "-")
    return fail("the engine's stdin is the protocol; open a file");
  auto read = readTraceFile(request.path);
  if (!read)
    return read.takeError();
  auto trace = std::make_shared<TraceFile>(std::move(*read));
  engine.extension<TraceFile>() = trace;
  constexpr size_t mostRows = 2000;
  std::vector<TraceRow> rows = rowsOf(*trace);
  message::TraceSummary<> summary{.path = request.path,
                                  .durationUs = trace->duration,
                                  .events = int64_t(trace->spans.size()),
                                  .instants = int64_t(trace->instants),
                                  .others = int64_t(trace->others),
                                  .skipped = int64_t(trace->skipped),
                                  .unfinished = int64_t(trace->unfinished),
                                  .cut = trace->cut,
                                  .threads = trace->threads};
  for (const TraceRow &row : llvm::ArrayRef(rows).take_front(mostRows))
    summary.rows.push_back({.name = trace->names[row.name],
                            .category = trace->categories[row.category],
                            .count = int64_t(row.count),
                            .totalUs = row.total,
                            .selfUs = row.self,
                            .longestUs = row.longest,
                            .step = row.step});
  summary.moreRows = int64_t(rows.size() - summary.rows.size());
  return summary;
}

llvm::Expected<message::TracePieces<>> pieces(Engine &engine, const method::TracePieces::Request<> &request) {
  const std::shared_ptr<TraceFile> &trace = engine.extension<TraceFile>();
  if (!trace)
    return fail("no trace is open; call trace/open first");
  constexpr unsigned deepest = 64;
  constexpr size_t most = 20'000;
  message::TracePieces<> result;
  llvm::DenseMap<uint32_t, int64_t> numbers; // of names
  for (const TracePiece &piece : piecesOf(*trace, request.begin, request.end.value_or(trace->duration),
                                          unsigned(request.columns), deepest, most)) {
    auto [number, isNew] = numbers.try_emplace(piece.name, result.names.size());
    if (isNew)
      result.names.push_back(trace->names[piece.name]);
    result.name.push_back(number->second);
    result.thread.push_back(piece.thread);
    result.depth.push_back(piece.depth);
    result.count.push_back(piece.count);
    result.step.push_back(piece.step);
    result.startUs.push_back(piece.start);
    result.durationUs.push_back(piece.duration);
  }
  return result;
}

} // namespace

void addTraceMethods(MethodTable &table) {
  addMethod<method::OpenTrace, open>(table);
  addMethod<method::TracePieces, pieces>(table);
}

} // namespace fuselage
