// Attributes that are folded in the diff view, on both sides of a row alike.
#include "views/text/DiffCanvas.h"
#include "views/text/DiffFolds.h"
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

namespace fuselage {

/// Of a line that stands alone, all that is long; until both lines of a row are here, nothing.
FoldPairs DiffCanvas::foldPairs(const VisibleDiffRow &row) const {
  const auto textOf = [](const Side &side, int line) {
    return side.source && line >= 0 ? side.source->line(line) : std::nullopt;
  };
  const auto left = textOf(sides_[0], row.left), right = textOf(sides_[1], row.right);
  const bool isPair = row.left >= 0 && row.right >= 0 && sides_[0].source && sides_[1].source;
  if (!isPair)
    return {left ? foldsOf(*left) : QList<LineFold>(), right ? foldsOf(*right) : QList<LineFold>()};
  if (!left || !right)
    return {};
  const bool isChanged = row.kind == DiffRowData::Kind::Changed && row.source < rows_.diff().rows.size();
  const DiffRowData data = isChanged ? rows_.diff().rows[row.source] : DiffRowData();
  return foldsOfBoth(*left, *right, data.leftSpans, data.rightSpans);
}

QList<LineFold> DiffCanvas::foldsIn(DiffSide which, int line) const {
  const FoldPairs pairs = foldPairs(rows_.pairOf(which == DiffSide::Before, line));
  return which == DiffSide::Before ? pairs.left : pairs.right;
}

DiffCanvas::FoldHit DiffCanvas::foldAt(QPoint point) {
  const int index = isEmpty() ? -1 : rowAt(point.y());
  if (index < 0 || rows_.row(index).folded > 0)
    return {};
  FoldHit hit{.side = sideAt(index, point.x())};
  hit.line = hit.side == DiffSide::Before ? rows_.row(index).left : rows_.row(index).right;
  Side &target = side(hit.side);
  const auto text = target.source && hit.line >= 0 ? target.source->line(hit.line) : std::nullopt;
  const QPoint corner = textCorner(hit.side, rectOfRow(index).top());
  if (text && point.x() >= area(hit.side).left() + gutterWidth(hit.side))
    hit.spot = target.renderer.foldAt(hit.line, *text, QPointF(point - corner));
  return hit;
}

void DiffCanvas::setFoldOpen(DiffSide which, int line, const LineFold &fold, bool open) {
  const VisibleDiffRow row = rows_.pairOf(which == DiffSide::Before, line);
  const FoldPairs pairs = foldPairs(row);
  const qsizetype index = (which == DiffSide::Before ? pairs.left : pairs.right).indexOf(fold);
  if (index < 0)
    return;
  if (row.left >= 0 && index < pairs.left.size())
    sides_[0].renderer.setFoldOpen(row.left, pairs.left[index], open);
  if (row.right >= 0 && index < pairs.right.size())
    sides_[1].renderer.setFoldOpen(row.right, pairs.right[index], open);
  measureShown();
  relayout();
}

bool DiffCanvas::toggleFold(const FoldHit &hit) {
  if (hit.spot)
    setFoldOpen(hit.side, hit.line, hit.spot.fold, !hit.spot.isOpen);
  return bool(hit.spot);
}

/// Opens all folds of a row, or closes them where all are open.
void DiffCanvas::toggleFolds(int index) {
  const VisibleDiffRow row = rows_.row(index);
  const DiffSide which = row.left >= 0 ? DiffSide::Before : DiffSide::After;
  const int line = row.left >= 0 ? row.left : row.right;
  Side &target = side(which);
  const auto text = target.source && line >= 0 ? target.source->line(line) : std::nullopt;
  if (!text)
    return;
  const QList<LineFold> closed = target.renderer.closedFolds(line, *text);
  for (const LineFold &fold : closed.isEmpty() ? target.renderer.openedFolds(line, *text) : closed)
    setFoldOpen(which, line, fold, !closed.isEmpty());
}

/// The widest line in sight is what there is to scroll to.
void DiffCanvas::measureShown() {
  widest_ = 0;
  for (const RowScroll::Item &item : shownRows()) {
    const VisibleDiffRow row = rows_.row(item.index);
    for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
      const int line = which == DiffSide::Before ? row.left : row.right;
      const auto text =
          row.folded == 0 && line >= 0 && side(which).source ? side(which).source->line(line) : std::nullopt;
      if (text)
        widest_ = std::max(widest_, side(which).renderer.width(line, *text) + 2 * textPadding);
    }
  }
}

bool DiffCanvas::showFoldToolTip(const QHelpEvent &event) {
  const FoldHit hit = foldAt(event.pos());
  if (!hit.spot || hit.spot.isOpen)
    return false;
  const QString text = side(hit.side).source->line(hit.line).value_or(QString());
  QToolTip::showText(event.globalPos(), foldToolTip(text, hit.spot.fold), viewport());
  return true;
}

} // namespace fuselage
