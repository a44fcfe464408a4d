#include "views/charts/TraceTimeline.h"
#include "views/charts/ChartInput.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/widgets/EmptyHint.h"
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 4, leastWidth = 1, textInset = 4, tickSpacing = 110;
/// What can be seen at least, in microseconds and of the whole: doubles have some 15 digits.
static constexpr double leastRange = 0.001, leastPart = 1e-11;

TraceTimeline::TraceTimeline(QWidget *parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Timeline of the trace"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
}

void TraceTimeline::setTrace(double durationUs, const QStringList &threads) {
  duration_ = durationUs;
  threads_ = threads;
  pieces_ = {};
  current_.clear();
  layOut();
  showAll();
}

void TraceTimeline::setPieces(const protocol::TracePieces &pieces) {
  pieces_ = pieces;
  layOut();
  viewport()->update();
}

void TraceTimeline::setCurrentName(const QString &name) {
  current_ = name;
  viewport()->update();
}

int TraceTimeline::rowHeight() const { return fontMetrics().height() + 4; }
int TraceTimeline::axisHeight() const { return fontMetrics().height() + 6; }
double TraceTimeline::xOf(double time) const {
  return end_ > begin_ ? (time - begin_) / (end_ - begin_) * viewport()->width() : 0;
}

/// A band has its thread's name above, and as many rows as pieces lie in each other.
void TraceTimeline::layOut() {
  QList<int> depths(threads_.size(), 0);
  for (qsizetype i = 0; i < pieces_.name.size(); ++i)
    if (pieces_.thread[i] < depths.size())
      depths[pieces_.thread[i]] = std::max(depths[pieces_.thread[i]], int(pieces_.depth[i]) + 1);
  tops_.clear();
  height_ = 0;
  for (const int depth : std::as_const(depths)) {
    tops_.append(height_);
    height_ += depth > 0 ? (depth + 1) * rowHeight() + margin : 0;
  }
  verticalScrollBar()->setPageStep(viewport()->height() - axisHeight());
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setRange(0, std::max(0, height_ - (viewport()->height() - axisHeight())));
}

void TraceTimeline::setRange(double begin, double end) {
  if (duration_ <= 0)
    return;
  const double length =
      std::clamp(end - begin, std::min(std::max(leastRange, leastPart * duration_), duration_), duration_);
  begin_ = std::clamp(begin, 0.0, duration_ - length);
  end_ = begin_ + length;
  viewport()->update();
  emit rangeChanged(begin_, end_, std::max(1, viewport()->width()));
}

void TraceTimeline::zoom(double factor, double around) {
  const double length = (end_ - begin_) / factor, middle = begin_ + (end_ - begin_) * around;
  setRange(middle - length * around, middle + length * (1 - around));
}

void TraceTimeline::showAll() {
  begin_ = end_ = 0;
  setRange(0, duration_);
  viewport()->update();
}

QRect TraceTimeline::placeOf(qsizetype piece) const {
  const double left = std::max(xOf(pieces_.startUs[piece]), -10.0);
  const double right = std::min(xOf(pieces_.startUs[piece] + pieces_.durationUs[piece]), viewport()->width() + 10.0);
  const int top = tops_.value(pieces_.thread[piece]) + (int(pieces_.depth[piece]) + 1) * rowHeight() + axisHeight() -
                  verticalScrollBar()->value();
  return {int(left), top, std::max(leastWidth, int(right) - int(left)), rowHeight() - 1};
}

qsizetype TraceTimeline::pieceAt(const QPoint &position) const {
  if (position.y() < axisHeight())
    return -1;
  for (qsizetype i = pieces_.name.size() - 1; i >= 0; --i)
    if (placeOf(i).adjusted(-1, 0, 1, 0).contains(position))
      return i;
  return -1;
}

QString TraceTimeline::toolTipAt(const QPoint &position) const {
  const qsizetype piece = pieceAt(position);
  if (piece < 0)
    return {};
  const QString name = pieces_.names.value(pieces_.name[piece]).toHtmlEscaped();
  const QString time = formatMicroseconds(pieces_.durationUs[piece]);
  const QString start = formatMicroseconds(pieces_.startUs[piece]);
  if (pieces_.count[piece] > 1)
    return tr("<b>%1</b> and others: %2 in %3, from %4")
        .arg(name, counted(pieces_.count[piece], tr("event"), tr("events")), time, start);
  return tr("<b>%1</b>: %2, from %3").arg(name, time, start);
}

bool TraceTimeline::viewportEvent(QEvent *event) {
  return showChartToolTip(event, viewport(), [this](const QPoint &at) { return toolTipAt(at); }) ||
         QAbstractScrollArea::viewportEvent(event);
}

/// A round number of microseconds, at least so many.
static double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least)
      return factor * power;
  return 10 * power;
}

void TraceTimeline::paintAxis(QPainter &painter) const {
  const Theme &theme = Theme::of(palette());
  painter.fillRect(0, 0, viewport()->width(), axisHeight(), theme.surface);
  painter.setPen(theme.border);
  painter.drawLine(0, axisHeight() - 1, viewport()->width(), axisHeight() - 1);
  const double step = roundStep((end_ - begin_) * tickSpacing / std::max(1, viewport()->width()));
  constexpr int mostTicks = 200;
  for (int tick = 0; tick < mostTicks; ++tick) {
    const double time = (std::ceil(begin_ / step) + tick) * step;
    if (!(time <= end_))
      return;
    const int x = int(xOf(time));
    painter.setPen(theme.border);
    painter.drawLine(x, 0, x, viewport()->height());
    painter.setPen(theme.textMuted);
    painter.drawText(x + textInset, fontMetrics().ascent() + 3, formatMicroseconds(time));
  }
}

void TraceTimeline::paintPiece(QPainter &painter, qsizetype piece) const {
  const QRect place = placeOf(piece);
  if (place.bottom() < axisHeight() || place.top() > viewport()->height())
    return;
  const Theme &theme = Theme::of(palette());
  const QString name = pieces_.names.value(pieces_.name[piece]);
  const QColor hue = theme.dispatch(int(qHash(name) % Theme::hueCount));
  const bool isCurrent = name == current_;
  const QColor ground = mix(hue, theme.surface, isCurrent ? 0.55 : current_.isEmpty() ? 0.3 : 0.15);
  painter.fillRect(place, ground);
  painter.fillRect(QRect(place.left(), place.top(), std::min(2, place.width()), place.height()), hue);
  const int room = place.width() - 2 * textInset;
  if (room < fontMetrics().averageCharWidth() * 3)
    return;
  // The words stay on screen while their piece is.
  const int left = std::max(place.left(), 0) + textInset;
  painter.setPen(contrastRatio(theme.text, ground) >= 4.5 ? theme.text : readableOn(ground));
  const QString words = fontMetrics().elidedText(name, Qt::ElideRight, place.right() - textInset - left);
  painter.drawText(QRect(left, place.top(), place.right() - left, place.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   words);
}

void TraceTimeline::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = Theme::of(palette());
  painter.fillRect(viewport()->rect(), theme.surface);
  if (duration_ <= 0) {
    paintHint(painter, viewport()->rect(), palette(), tr("No trace"), {});
    return;
  }
  paintAxis(painter);
  painter.setClipRect(0, axisHeight(), viewport()->width(), viewport()->height());
  for (qsizetype i = 0; i < pieces_.name.size(); ++i)
    paintPiece(painter, i);
  painter.setPen(theme.textMuted);
  for (qsizetype i = 0; i < tops_.size(); ++i)
    if (i + 1 == tops_.size() ? tops_[i] < height_ : tops_[i] < tops_[i + 1])
      painter.drawText(textInset, tops_[i] + axisHeight() + fontMetrics().ascent() + 2 - verticalScrollBar()->value(),
                       threads_[i]);
  if (hasFocus()) {
    painter.setClipping(false);
    paintFocus(painter, viewport()->rect(), palette());
  }
}

void TraceTimeline::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
  setRange(begin_, end_ > begin_ ? end_ : duration_);
}

void TraceTimeline::wheelEvent(QWheelEvent *event) {
  if (!(event->modifiers() & Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  constexpr double perNotch = 1.25, notch = 120;
  zoom(std::pow(perNotch, event->angleDelta().y() / notch), event->position().x() / std::max(1, viewport()->width()));
  event->accept();
}

void TraceTimeline::mousePressEvent(QMouseEvent *event) {
  pressed_ = event->pos();
  pressedBegin_ = begin_;
  isDragged_ = false;
}

void TraceTimeline::mouseMoveEvent(QMouseEvent *event) {
  if (!(event->buttons() & Qt::LeftButton))
    return;
  isDragged_ |= (event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance();
  if (!isDragged_)
    return;
  const double moved = (event->pos().x() - pressed_.x()) * (end_ - begin_) / std::max(1, viewport()->width());
  setRange(pressedBegin_ - moved, pressedBegin_ - moved + (end_ - begin_));
}

void TraceTimeline::mouseReleaseEvent(QMouseEvent *event) {
  const qsizetype piece = pieceAt(event->pos());
  if (!isDragged_ && event->button() == Qt::LeftButton && piece >= 0)
    emit pieceActivated(pieces_.names.value(pieces_.name[piece]), int(pieces_.step[piece]));
}

void TraceTimeline::keyPressEvent(QKeyEvent *event) {
  constexpr double factor = 1.5, part = 0.2;
  const double length = end_ - begin_;
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoom(factor);
  case Qt::Key_Minus:
    return zoom(1 / factor);
  case Qt::Key_0:
  case Qt::Key_Home:
    return showAll();
  case Qt::Key_Left:
    return setRange(begin_ - part * length, end_ - part * length);
  case Qt::Key_Right:
    return setRange(begin_ + part * length, end_ + part * length);
  case Qt::Key_Up:
    return verticalScrollBar()->triggerAction(QScrollBar::SliderSingleStepSub);
  case Qt::Key_Down:
    return verticalScrollBar()->triggerAction(QScrollBar::SliderSingleStepAdd);
  default:
    QAbstractScrollArea::keyPressEvent(event);
  }
}

} // namespace fuselage
