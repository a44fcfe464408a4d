// What the diff view draws: a snapshot of the engine's answer to step/diff, as Qt values.
#pragma once
#include <QList>

namespace fuselage {

/// Columns [begin, end) of a line, in bytes of its UTF-8, as the engine counts.
struct ByteSpan {
  int begin = 0, end = 0;
};

/// One row of the side-by-side view, or a run of equal rows. A line of -1 is a gap on that side.
struct DiffRowData {
  enum class Kind { Same, Added, Removed, Changed };
  Kind kind = Kind::Same;
  int left = -1, right = -1;             ///< lines count from 0
  int count = 1;                         ///< rows of kind Same stand for this many lines, from left and right on
  QList<ByteSpan> leftSpans, rightSpans; ///< what differs inside a changed line
};

struct DiffData {
  QList<DiffRowData> rows;
  int added = 0, removed = 0, changed = 0; ///< lines
};

} // namespace fuselage
