// Mouse and keyboard of the tile canvas.
#include "views/tiles/TileCanvas.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <climits>

namespace fuselage {

int TileCanvas::cardAt(const QPointF &position) const {
  for (int card = 0; card < cards_.size(); ++card)
    if (cardRect(card).contains(position))
      return card;
  return -1;
}

/// Goes to the tile of the iteration domain under the mouse; false where there is none.
bool TileCanvas::pickTile(const QPointF &position) {
  const int card = cardAt(position);
  if (card < 0 || cards_[card].kind != TileCard::Kind::Domain || !pictureRect(card).contains(position))
    return false;
  const QRectF picture = pictureRect(card);
  QList<qint64> tile = walk_.tile();
  auto set = [&](int loop, double share) {
    if (loop >= 0 && loop < tile.size())
      tile[loop] = qint64(share * double(loops_[loop].range)) / walk_.sizes()[loop];
  };
  set(cards_[card].plane.column, (position.x() - picture.left()) / picture.width());
  set(cards_[card].plane.row, (position.y() - picture.top()) / picture.height());
  TileWalk there = walk_;
  there.setTile(tile);
  if (there.tile() != walk_.tile())
    emit tilePicked(there.tile());
  return true;
}

void TileCanvas::mousePressEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton)
    pickTile(event->position());
}

void TileCanvas::mouseMoveEvent(QMouseEvent *event) {
  if (event->buttons() & Qt::LeftButton) {
    pickTile(event->position());
    return;
  }
  const int card = cardAt(event->position());
  const bool picks =
      card >= 0 && cards_[card].kind == TileCard::Kind::Domain && pictureRect(card).contains(event->position());
  viewport()->setCursor(picks ? Qt::CrossCursor : Qt::ArrowCursor);
}

void TileCanvas::mouseDoubleClickEvent(QMouseEvent *event) {
  if (const int card = cardAt(event->position()); card >= 0 && cards_[card].kind == TileCard::Kind::Footprint)
    emit valueActivated(cards_[card].footprint.name);
}

void TileCanvas::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Space:
    emit playRequested();
    return;
  case Qt::Key_Right:
    emit stepRequested(1);
    return;
  case Qt::Key_Left:
    emit stepRequested(-1);
    return;
  case Qt::Key_Home:
    emit stepRequested(INT_MIN);
    return;
  case Qt::Key_End:
    emit stepRequested(INT_MAX);
    return;
  default:
    QAbstractScrollArea::keyPressEvent(event);
  }
}

bool TileCanvas::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::ToolTip) {
    auto *help = static_cast<QHelpEvent *>(event);
    const int card = cardAt(help->pos());
    QToolTip::showText(help->globalPos(), card >= 0 ? cards_[card].toolTip : QString(), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

} // namespace fuselage
