// Search hits in the diff view.
#include "views/text/DiffCanvas.h"
#include <QScrollBar>
#include <algorithm>
#include <tuple>

namespace fuselage {

/// What an unchanged line has stands on both sides, and counts on the right one.
int DiffCanvas::setMatches(const QList<DiffMatch> &matches) {
  currentMatch_ = -1;
  wantsMatch_ = false;
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
    return std::tuple(a.row, a.match.line, a.match.side, a.match.column) <
           std::tuple(b.row, b.match.line, b.match.side, b.match.column);
  });
  for (const Placed &at : std::as_const(placed))
    matches_.append(at.match);
  for (Side &side : sides_)
    std::stable_sort(side.matches.begin(), side.matches.end(),
                     [](const auto &a, const auto &b) { return a.line < b.line; });
  viewport()->update();
  return int(matches_.size());
}

void DiffCanvas::setCurrentMatch(int index) {
  currentMatch_ = index >= 0 && index < matches_.size() ? index : -1;
  viewport()->update();
  wantsMatch_ = currentMatch_ >= 0;
  if (!wantsMatch_)
    return;
  scrollToLine(matches_[currentMatch_].side, matches_[currentMatch_].line);
  revealMatch();
}

/// Opens the attributes that the current match is in, and scrolls sideways to it, if its line is here and the one
/// beside it.
void DiffCanvas::revealMatch() {
  const DiffMatch match = matches_[currentMatch_];
  Side &target = side(match.side);
  const auto text = target.source ? target.source->line(match.line) : std::nullopt;
  const VisibleDiffRow pair = rows_.pairOf(match.side == DiffSide::Before, match.line);
  const auto isHere = [](const Side &side, int line) { return line < 0 || !side.source || side.source->line(line); };
  if (!text || !isHere(sides_[0], pair.left) || !isHere(sides_[1], pair.right))
    return; // linesArrived() comes back
  wantsMatch_ = false;
  for (const LineFold &fold : target.renderer.foldsHiding(match.line, *text, match.column, match.column + match.length))
    setFoldOpen(match.side, match.line, fold, true);
  const int left = int(target.renderer.columnToX(match.line, *text, match.column));
  const int right = int(target.renderer.columnToX(match.line, *text, match.column + match.length));
  widest_ = std::max(widest_, target.renderer.width(match.line, *text) + 2 * textPadding);
  updateScrollBars();
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
                                mix(isCurrent ? theme.matchCurrent : theme.match, theme.surface,
                                    isCurrent    ? 0.6
                                    : theme.dark ? 0.35
                                                 : 0.5),
                                true);
  }
}

} // namespace fuselage
