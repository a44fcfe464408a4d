#include "views/text/DiffRows.h"
#include <algorithm>

namespace fuselage {

/// Joins neighbouring Same rows into runs.
static QList<DiffRowData> joined(const QList<DiffRowData> &rows) {
  QList<DiffRowData> result;
  for (DiffRowData row : rows) {
    row.count = row.kind == DiffRowData::Kind::Same ? std::max(1, row.count) : 1;
    if (!result.isEmpty() && row.kind == DiffRowData::Kind::Same) {
      DiffRowData &last = result.last();
      if (last.kind == DiffRowData::Kind::Same && last.left + last.count == row.left &&
          last.right + last.count == row.right) {
        last.count += row.count;
        continue;
      }
    }
    result.append(row);
  }
  return result;
}

void DiffRows::setDiff(const DiffData &diff) {
  diff_ = diff;
  diff_.rows = joined(diff.rows);
  open_.clear();
  rebuild();
}

void DiffRows::setContext(int lines) {
  context_ = std::max(0, lines);
  rebuild();
}

void DiffRows::setAllOpen(bool open) {
  allOpen_ = open;
  open_.clear();
  rebuild();
}

void DiffRows::setUnified(bool unified) {
  unified_ = unified;
  rebuild();
}

void DiffRows::openFold(int source) {
  open_.insert(source);
  rebuild();
}

void DiffRows::append(VisibleDiffRow start, int count) {
  if (count <= 0)
    return;
  if (start.left >= 0)
    starts_[0].append({start.left, int(segments_.size())});
  if (start.right >= 0)
    starts_[1].append({start.right, int(segments_.size())});
  segments_.append({start, rowCount_, count});
  rowCount_ += count;
}

void DiffRows::rebuild() {
  segments_.clear();
  for (auto &starts : starts_)
    starts.clear();
  changes_.clear();
  rowCount_ = 0;
  bool anyChange = std::any_of(diff_.rows.cbegin(), diff_.rows.cend(),
                               [](const DiffRowData &row) { return row.kind != DiffRowData::Kind::Same; });
  for (int i = 0; i < diff_.rows.size(); ++i) {
    const DiffRowData &row = diff_.rows[i];
    if (row.kind != DiffRowData::Kind::Same) {
      const int first = i;
      while (i + 1 < diff_.rows.size() && diff_.rows[i + 1].kind != DiffRowData::Kind::Same)
        ++i;
      appendChange(first, i);
      continue;
    }
    VisibleDiffRow start{row.kind, row.left, row.right, 0, i};
    int before = i == 0 ? 0 : context_, after = i + 1 == diff_.rows.size() ? 0 : context_;
    int hidden = row.count - before - after;
    // A fold of one line would save nothing; without any change the text itself is what to show.
    if (hidden < 2 || allOpen_ || !anyChange || open_.contains(i)) {
      append(start, row.count);
      continue;
    }
    append(start, before);
    append({row.kind, row.left + before, row.right + before, hidden, i}, 1);
    append({row.kind, row.left + before + hidden, row.right + before + hidden, 0, i}, after);
  }
}

/// The rows [first, last] of the diff, which all differ.
void DiffRows::appendChange(int first, int last) {
  DiffChange change{rowCount_, rowCount_, diff_.rows[first].kind};
  const auto add = [this](int source, bool left, bool right) {
    const DiffRowData &row = diff_.rows[source];
    if ((left && row.left >= 0) || (right && row.right >= 0))
      append({row.kind, left ? row.left : -1, right ? row.right : -1, 0, source}, 1);
  };
  for (int i = first; i <= last; ++i) {
    if (diff_.rows[i].kind != change.kind)
      change.kind = DiffRowData::Kind::Changed; // mixed
    add(i, true, !unified_);
  }
  for (int i = first; unified_ && i <= last; ++i)
    add(i, false, true);
  change.last = rowCount_ - 1;
  changes_.append(change);
}

VisibleDiffRow DiffRows::row(int index) const {
  auto next = std::upper_bound(segments_.cbegin(), segments_.cend(), index,
                               [](int i, const Segment &s) { return i < s.first; });
  if (next == segments_.cbegin())
    return {};
  const Segment &segment = *std::prev(next);
  VisibleDiffRow row = segment.start;
  if (row.kind == DiffRowData::Kind::Same && row.folded == 0) {
    row.left += index - segment.first;
    row.right += index - segment.first;
  }
  return row;
}

int DiffRows::rowOf(bool left, int line) const {
  const auto &starts = starts_[!left];
  auto next = std::upper_bound(starts.cbegin(), starts.cend(), line,
                               [](int l, const std::pair<int, int> &start) { return l < start.first; });
  if (next == starts.cbegin())
    return -1;
  const auto &[start, number] = *std::prev(next);
  const Segment &segment = segments_[number];
  const int folded = segment.start.folded;
  if (line - start >= (folded > 0 ? folded : segment.count))
    return -1;
  return folded > 0 ? segment.first : segment.first + line - start;
}

VisibleDiffRow DiffRows::pairOf(bool left, int line) const {
  const int index = rowOf(left, line);
  if (index < 0)
    return {};
  VisibleDiffRow at = row(index);
  if (at.kind == DiffRowData::Kind::Same) {
    const int below = line - (left ? at.left : at.right); // in a fold
    at.left += below;
    at.right += below;
  } else {
    at.left = diff_.rows[at.source].left;
    at.right = diff_.rows[at.source].right;
  }
  return at;
}

} // namespace fuselage
