// A trace in memory: its spans, what they come to by name, and what is to be drawn of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

/// Something that took a while.
struct TraceSpan {
  uint32_t name = 0, category = 0; ///< in TraceFile::names and categories
  uint32_t thread = 0;             ///< in TraceFile::threads
  uint32_t depth = 0;              ///< how many others of its thread are around it
  double start = 0, duration = 0;  ///< microseconds; the first of the trace starts at 0
  double self = 0;                 ///< without those right inside of it
  int32_t step = -1;               ///< args.step: of a recording; -1: it has none
};

/// What has one name.
struct TraceRow {
  uint32_t name = 0, category = 0;
  uint64_t count = 0;
  double total = 0;   ///< microseconds; those inside of one of the same name are in it once
  double self = 0;    ///< without what is inside of them
  double longest = 0; ///< of one
  int32_t step = -1;  ///< of the only step they name; -1: they name none, or several
};

struct TraceFile {
  std::vector<std::string> names, categories;
  std::vector<std::string> threads; ///< as the file calls them, else "process 7, thread 12"
  std::vector<TraceSpan> spans;     ///< by thread and then by start, what is around others first
  double duration = 0;              ///< of all, in microseconds
  uint64_t instants = 0;            ///< events without a duration, which are not shown
  uint64_t others = 0;              ///< of kinds that are not shown: counters, flows, asynchronous events
  uint64_t skipped = 0;             ///< that make no sense: without a finite time, or an end without a begin
  uint64_t unfinished = 0;          ///< begins without an end; they last to the end of their thread
  std::string cut;                  ///< where and how the file ends too early; empty: it is whole
};

/// What the spans come to by name, that with the largest total first.
std::vector<TraceRow> rowsOf(const TraceFile &trace);

/// A piece of a picture: a span, or several that are too narrow to be told apart.
struct TracePiece {
  uint32_t name = 0, thread = 0, depth = 0; ///< of several, the name of the longest
  double start = 0, duration = 0;
  uint32_t count = 1;
  int32_t step = -1;
};

/// What is to be drawn of [`begin`, `end`) in `columns` columns of pixels, at most `deepest` rows for a thread. Pieces
/// that would lie in one column are one; there are at most `most`, and the longest spans are among them.
std::vector<TracePiece> piecesOf(const TraceFile &trace, double begin, double end, unsigned columns,
                                 unsigned deepest = 64, size_t most = 50'000);

} // namespace fuselage
