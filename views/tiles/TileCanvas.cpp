#include "views/tiles/TileCanvas.h"
#include "views/common/Theme.h"
#include "views/tiles/TilePainter.h"
#include "views/widgets/EmptyHint.h"
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr double margin = 12, gap = 10, padding = 9, stackRoom = 7;
static constexpr double cardWidth = 196, pictureHeight = 104;

TileCanvas::TileCanvas(QWidget *parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Iteration domain and footprints"));
  setAccessibleDescription(
      tr("Left and Right step through the tiles, Space plays, Home and End go to the first and the last tile"));
  viewport()->setMouseTracking(true);
}

void TileCanvas::setReport(const protocol::TileReport &report) {
  report_ = report;
  loops_ = report.loops;
  cards_ = tileCards(report, inner_);
  arrange();
  viewport()->update();
}

void TileCanvas::setWalk(const TileWalk &walk) {
  walk_ = walk;
  viewport()->update();
}

void TileCanvas::setInner(const QList<qint64> &sizes) {
  if (std::exchange(inner_, sizes) != sizes && !cards_.isEmpty())
    setReport(report_);
}

void TileCanvas::setEmpty(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  cards_.clear();
  loops_.clear();
  arrange();
  viewport()->update();
}

void TileCanvas::setHighlighted(const QString &value) {
  if (highlighted_ == value)
    return;
  highlighted_ = value;
  for (int card = 0; card < cards_.size(); ++card)
    if (!value.isEmpty() && cards_[card].footprint.name == value) {
      const QRectF rect = placed_[card].rect;
      const int top = verticalScrollBar()->value(), height = viewport()->height();
      if (rect.top() < top || rect.bottom() > top + height)
        verticalScrollBar()->setValue(int(rect.top()) - int(margin));
      break;
    }
  viewport()->update();
}

/// Cards flow from left to right; a section begins below its heading.
void TileCanvas::arrange() {
  placed_.clear();
  headings_.clear();
  const QFontMetricsF metrics(font());
  const double lineHeight = metrics.lineSpacing(), headingHeight = lineHeight + 8;
  const double width = std::max(viewport()->width() - 2 * margin, cardWidth);
  double x = margin, y = margin + lineHeight + 8; // the legend is above
  double rowHeight = 0;
  QString section;
  auto breakRow = [&] {
    if (rowHeight > 0)
      y += rowHeight + gap;
    x = margin;
    rowHeight = 0;
  };
  for (int index = 0; index < cards_.size(); ++index) {
    const TileCard &card = cards_[index];
    int count = 1;
    while (index + count < cards_.size() && cards_[index + count].section == card.section)
      ++count;
    if (card.section != section) {
      // A short section goes on beside the one before.
      const double needed = count * (cardWidth + gap) - gap;
      if (x > margin && x + needed > margin + width)
        breakRow();
      headings_.append({card.section, QPointF(x, y)});
      section = card.section;
    } else if (x > margin && x + cardWidth > margin + width) {
      breakRow();
      headings_.append({QString(), QPointF(x, y)});
    }
    const int lines = int(card.lines.size()) + (card.warning.isEmpty() ? 0 : 1);
    const double height = padding + 2 * lineHeight + 6 + stackRoom + pictureHeight + 6 + lines * lineHeight + padding;
    const QRectF rect(x, y + headingHeight, cardWidth, height);
    QList<qint64> shape = card.footprint.shape;
    if (card.kind == TileCard::Kind::Domain) {
      shape.clear();
      for (const protocol::TileLoop &loop : loops_)
        shape.append(loop.range);
    }
    const QSizeF space(cardWidth - 2 * padding - stackRoom, pictureHeight);
    const QSizeF size = pictureSize(shape, card.plane, space);
    const QPointF corner(rect.left() + padding + (space.width() - size.width()) / 2,
                         rect.top() + padding + 2 * lineHeight + 6 + stackRoom + (space.height() - size.height()) / 2);
    placed_.append({rect, QRectF(QPointF(std::round(corner.x()), std::round(corner.y())),
                                 QSizeF(std::round(size.width()), std::round(size.height())))});
    rowHeight = std::max(rowHeight, headingHeight + height);
    x += cardWidth + gap;
  }
  const double bottom = cards_.isEmpty() ? 0 : y + rowHeight + margin;
  // Cards of a row are of one height.
  for (Placed &placed : placed_)
    for (const Placed &other : placed_)
      if (other.rect.top() == placed.rect.top() && other.rect.bottom() > placed.rect.bottom())
        placed.rect.setBottom(other.rect.bottom());
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(int(lineHeight) * 2);
  verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(bottom)) - viewport()->height()));
}

QPointF TileCanvas::scrollOffset() const { return QPointF(0, verticalScrollBar()->value()); }

QRectF TileCanvas::cardRect(int card) const { return placed_[card].rect.translated(-scrollOffset()); }

QRectF TileCanvas::pictureRect(int card) const { return placed_[card].picture.translated(-scrollOffset()); }

void TileCanvas::resizeEvent(QResizeEvent *) { arrange(); }

void TileCanvas::changeEvent(QEvent *event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    arrange();
}

void TileCanvas::paintCard(QPainter &painter, int index, const QPointF &scroll) const {
  const Theme &theme = Theme::of(palette());
  const TileCard &card = cards_[index];
  const QRectF rect = placed_[index].rect.translated(-scroll);
  const bool isHighlighted =
      !highlighted_.isEmpty() && card.kind == TileCard::Kind::Footprint && card.footprint.name == highlighted_;
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(isHighlighted ? QPen(theme.accent, 2) : QPen(theme.border, 1));
  painter.setBrush(theme.surfaceRaised);
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setRenderHint(QPainter::Antialiasing, false);

  const QFontMetricsF metrics(font());
  const double width = rect.width() - 2 * padding;
  double y = rect.top() + padding;
  auto line = [&](const QString &text, const QColor &color, bool bold = false) {
    QFont styled = font();
    styled.setBold(bold);
    painter.setFont(styled);
    painter.setPen(color);
    painter.drawText(QRectF(rect.left() + padding, y, width, metrics.lineSpacing()), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(styled).elidedText(text, Qt::ElideRight, width));
    y += metrics.lineSpacing();
  };
  line(card.title, theme.text, true);
  line(card.subtitle, theme.textMuted);
  const QRectF picture = placed_[index].picture.translated(-scroll);
  if (card.kind == TileCard::Kind::Domain)
    paintDomain(painter, picture, loops_, walk_, inner_, card.plane, theme);
  else
    paintFootprint(painter, picture, card.footprint, card.plane, theme);
  y += 6 + stackRoom + pictureHeight + 6;
  for (const QString &text : card.lines)
    line(text, theme.text);
  if (!card.warning.isEmpty())
    line(card.warning, theme.warning);
}

void TileCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = Theme::of(palette());
  painter.fillRect(viewport()->rect(), theme.canvas);
  painter.setFont(font());
  if (cards_.isEmpty()) {
    paintHint(painter, viewport()->rect(), palette(), emptyTitle_, emptyHint_);
    return;
  }
  const QPointF scroll = scrollOffset();
  paintLegend(painter, QPointF(margin, margin) - scroll, theme);
  QFont bold = font();
  bold.setBold(true);
  const double ascent = QFontMetricsF(bold).ascent();
  for (const Heading &heading : headings_) {
    painter.setFont(bold);
    painter.setPen(theme.textMuted);
    painter.drawText(heading.at - scroll + QPointF(0, ascent), heading.text);
  }
  const QRectF visible(viewport()->rect());
  for (int index = 0; index < cards_.size(); ++index)
    if (placed_[index].rect.translated(-scroll).intersects(visible))
      paintCard(painter, index, scroll);
  if (hasFocus())
    paintFocus(painter, viewport()->rect(), palette());
}

} // namespace fuselage
