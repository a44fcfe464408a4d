// Search hits in the diff view.
#include "views/text/DiffCanvas.h"
#include <QScrollBar>
#include <algorithm>
#include <tuple>

namespace fuselage {

/// What an unchanged line has stands on both sides, and counts on the right one.
int DiffCanvas::setMatches(const QList<DiffMatch> &matches) {
  currentMatch_ = -1;
  matches_.clear();
  for (Side &side : sides_)
    side.matches.clear();
  struct Placed {
    int row;
    DiffMatch match;
  };
  QList<Placed> placed;
  for (const DiffMatch &match : matches) {
    const int row = rows_.rowOf(match.side == DiffSide::Before, match.line);
    if (row < 0)
      continue;
    side(match.side).matches.append(match);
    if (match.side == DiffSide::After || rows_.row(row).kind != DiffRowData::Kind::Same)
      placed.append({row, match});
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed &a, const Placed &b) {
    return std::tuple(a.row, a.match.line, a.match.side, a.match.column) < std::tuple(b.row, b.match.line, b.match.side, b.match.column);
  });
  for (const Placed &at : std::as_const(placed))
    matches_.append(at.match);
  for (Side &side : sides_)
    std::stable_sort(side.matches.begin(), side.matches.end(), [](const auto &a, const auto &b) { return a.line < b.line; });
  viewport()->update();
  return int(matches_.size());
}

void DiffCanvas::setCurrentMatch(int index) {
  currentMatch_ = index >= 0 && index < matches_.size() ? index : -1;
  viewport()->update();
  if (currentMatch_ < 0)
    return;
  const DiffMatch &match = matches_[currentMatch_];
  scrollToLine(match.side, match.line);
  Side &target = side(match.side);
  const auto text = target.source ? target.source->line(match.line) : std::nullopt;
  if (!text)
    return;
  const int left = int(target.renderer.columnToX(match.line, *text, match.column));
  const int right = int(target.renderer.columnToX(match.line, *text, match.column + match.length));
  const int room = area(match.side).width() - gutterWidth(match.side) - 24;
  const int x = horizontalScrollBar()->value();
  if (left < x || right > x + room)
    horizontalScrollBar()->setValue(std::max(0, right > room ? left - room / 3 : 0));
}

void DiffCanvas::paintMatches(QPainter &painter, DiffSide which, int line, QPointF origin, const QString &text) {
  Side &target = side(which);
  const Theme &theme = target.renderer.theme();
  auto match = std::lower_bound(target.matches.cbegin(), target.matches.cend(), line,
                                [](const DiffMatch &m, int l) { return m.line < l; });
  for (; match != target.matches.cend() && match->line == line; ++match) {
    const DiffMatch *now = currentMatch_ >= 0 ? &matches_[currentMatch_] : nullptr;
    const bool isCurrent = now && now->side == which && now->line == line && now->column == match->column;
    target.renderer.fillColumns(painter, origin, line, text, match->column, match->column + match->length,
                                mix(isCurrent ? theme.matchCurrent : theme.match, theme.surface, isCurrent ? 0.6 : theme.dark ? 0.35 : 0.5),
                                true);
  }
}

} // namespace fuselage
