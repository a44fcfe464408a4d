#include "core/trace/TraceModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace fuselage {

std::vector<TraceRow> rowsOf(const TraceFile &trace) {
  std::vector<TraceRow> rows(trace.names.size());
  std::vector<unsigned> open(trace.names.size()); // how many of the name are around the place
  std::vector<const TraceSpan *> around;
  for (const TraceSpan &span : trace.spans) {
    while (!around.empty() && (around.back()->thread != span.thread || around.size() > span.depth)) {
      --open[around.back()->name];
      around.pop_back();
    }
    TraceRow &row = rows[span.name];
    row.name = span.name;
    row.category = span.category;
    row.step = row.count == 0 || row.step == span.step ? span.step : -1;
    ++row.count;
    row.self += span.self;
    row.longest = std::max(row.longest, span.duration);
    if (open[span.name]++ == 0)
      row.total += span.duration;
    around.push_back(&span);
  }
  llvm::erase_if(rows, [](const TraceRow &row) { return row.count == 0; });
  llvm::stable_sort(rows, [](const TraceRow &a, const TraceRow &b) { return a.total > b.total; });
  return rows;
}

std::vector<TracePiece> piecesOf(const TraceFile &trace, double begin, double end, unsigned columns, unsigned deepest,
                                 size_t most) {
  std::vector<TracePiece> pieces;
  const double width = (end - begin) / std::max(columns, 1u); // of a column
  if (!(width > 0))
    return pieces;
  std::vector<size_t> last(deepest, SIZE_MAX); // the piece of each row that may take in more
  uint32_t thread = UINT32_MAX;
  for (const TraceSpan &span : trace.spans) {
    if (span.thread != thread)
      last.assign(deepest, SIZE_MAX);
    thread = span.thread;
    const double until = span.start + span.duration;
    if (span.depth >= deepest || span.start >= end || until < begin)
      continue;
    size_t &row = last[span.depth];
    if (row != SIZE_MAX && span.duration < width && until - pieces[row].start < width) {
      TracePiece &piece = pieces[row];
      if (span.duration > piece.duration / piece.count)
        piece.name = span.name;
      piece.duration = std::max(piece.duration, until - piece.start);
      ++piece.count;
      continue;
    }
    row = pieces.size();
    pieces.push_back({.name = span.name,
                      .thread = span.thread,
                      .depth = span.depth,
                      .start = span.start,
                      .duration = span.duration,
                      .step = span.step});
  }
  if (pieces.size() > most) {
    std::nth_element(pieces.begin(), pieces.begin() + most, pieces.end(),
                     [](const TracePiece &a, const TracePiece &b) { return a.duration > b.duration; });
    pieces.resize(most);
  }
  return pieces;
}

} // namespace fuselage
