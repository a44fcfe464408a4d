// The rows that a diff view shows: lines, gaps and folds, found by number without listing them all.
#pragma once
#include "views/common/DiffData.h"
#include <QList>
#include <QSet>
#include <utility>

namespace fuselage {

/// What is at one row of the view.
struct VisibleDiffRow {
  DiffRowData::Kind kind = DiffRowData::Kind::Same;
  int left = -1, right = -1; ///< lines; -1: a gap on that side
  int folded = 0;            ///< > 0: a fold that hides this many lines from left and right on
  int source = -1;           ///< index into the diff's rows, for word spans; the fold's name
};

/// A run of rows that differ.
struct DiffChange {
  int first = 0, last = 0;                             ///< rows of the view
  DiffRowData::Kind kind = DiffRowData::Kind::Changed; ///< Changed also where kinds are mixed
};

/// A million unchanged lines are one segment.
class DiffRows {
public:
  void setDiff(const DiffData &diff);
  const DiffData &diff() const { return diff_; }
  void setContext(int lines);
  void setAllOpen(bool open);
  /// A line a row: of each change what was there, and below that what is there now.
  void setUnified(bool unified);
  bool isUnified() const { return unified_; }
  bool allOpen() const { return allOpen_; }
  void openFold(int source);

  int rowCount() const { return rowCount_; }
  VisibleDiffRow row(int index) const;
  const QList<DiffChange> &changes() const { return changes_; }
  /// The row of a line; the fold's row if it is folded away; -1: not part of the diff.
  int rowOf(bool left, int line) const;
  /// A line with the one that stands beside it, also where that is another row; no lines: not part of the diff.
  VisibleDiffRow pairOf(bool left, int line) const;

private:
  struct Segment {
    VisibleDiffRow start;
    int first = 0; ///< row of the view
    int count = 1; ///< rows of the view
  };
  void rebuild();
  void appendChange(int first, int last);
  void append(VisibleDiffRow start, int count);
  DiffData diff_;
  QList<Segment> segments_;
  /// First lines of segments that have some on the left, and on the right, with the number of the segment; both rise.
  QList<std::pair<int, int>> starts_[2];
  QList<DiffChange> changes_;
  QSet<int> open_;
  int context_ = 3, rowCount_ = 0;
  bool allOpen_ = false, unified_ = false;
};

} // namespace fuselage
