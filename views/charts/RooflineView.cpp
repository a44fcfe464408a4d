#include "views/charts/RooflineView.h"
#include "core/pictures/RooflineSvg.h"
#include "views/charts/ChartInput.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/widgets/EmptyHint.h"
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

using message::RooflineRole;

namespace {

/// The chart's strokes by a QPainter.
class PainterCanvas {
public:
  PainterCanvas(QPainter &painter, const QPalette &palette) : painter_(painter), isDark_(Theme::of(palette).dark) {}

  void line(double x0, double y0, double x1, double y1, RooflineRole role, double width) {
    stroke(role, width, Qt::SolidLine);
    painter_.drawLine(QPointF(x0, y0), QPointF(x1, y1));
  }
  void dotted(double x0, double y0, double x1, double y1, RooflineRole role) {
    stroke(role, 1, Qt::DotLine);
    painter_.drawLine(QPointF(x0, y0), QPointF(x1, y1));
  }
  void dot(double x, double y, double radius, RooflineRole role) {
    fill(role);
    painter_.drawEllipse(QPointF(x, y), radius, radius);
  }
  void ring(double x, double y, double radius, RooflineRole role) {
    stroke(role, 1.5, Qt::SolidLine);
    painter_.drawEllipse(QPointF(x, y), radius, radius);
  }
  void diamond(double x, double y, double radius, RooflineRole role) {
    fill(role);
    painter_.drawPolygon(QPolygonF({{x - radius, y}, {x, y - radius}, {x + radius, y}, {x, y + radius}}));
  }
  void text(double x, double y, double alignment, RooflineRole role, const std::string &text) {
    const QString words = QString::fromStdString(text);
    painter_.setPen(colour(role));
    painter_.drawText(QPointF(x - alignment * painter_.fontMetrics().horizontalAdvance(words), y), words);
  }
  double textWidth(const std::string &text) const {
    return painter_.fontMetrics().horizontalAdvance(QString::fromStdString(text));
  }
  double lineHeight() const { return painter_.fontMetrics().height(); }

private:
  QColor colour(RooflineRole role) const { return QColor::fromRgb(message::roofline::colourOf(role, isDark_)); }
  void stroke(RooflineRole role, double width, Qt::PenStyle style) {
    painter_.setPen(QPen(colour(role), width, style));
    painter_.setBrush(Qt::NoBrush);
  }
  void fill(RooflineRole role) {
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour(role));
  }
  QPainter &painter_;
  bool isDark_;
};

std::string textOf(const QString &text) { return text.toStdString(); }

/// How far from a point's middle the mouse still means it.
constexpr double reach = 12;

} // namespace

RooflineView::RooflineView(QWidget *parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Roofline"));
  setEmptyText(
      tr("No roofline yet"),
      tr("Run with \u201cBaselines\u201d measures the peaks of the device, and shows each dispatch below them."));
}

void RooflineView::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  update();
}

void RooflineView::setStale(bool isStale) {
  isStale_ = isStale;
  update();
}

void RooflineView::setRuns(const protocol::RunReport &now, const protocol::RunReport &before,
                           const QString &beforeName) {
  hasRun_ = !now.kernels.isEmpty();
  chart_ = {};
  selected_ = hovered_ = -1;
  if (hasRun_ && now.peaks)
    chart_ = message::rooflineOf<protocol::QtTypes>(now, before.kernels.isEmpty() ? nullptr : &before,
                                                    beforeName.toStdString(), textOf);
  order_.resize(qsizetype(chart_.now.size()));
  for (qsizetype i = 0; i < order_.size(); ++i)
    order_[i] = int(i);
  std::stable_sort(order_.begin(), order_.end(),
                   [this](int a, int b) { return chart_.now[a].intensity < chart_.now[b].intensity; });
  describe();
  update();
}

/// For those who cannot see it.
void RooflineView::describe() {
  QStringList words;
  for (const message::RooflinePoint &point : chart_.now) {
    const std::string share = message::shareText(point.limit, point.peak, point.share, point.bound);
    words.append(share.empty() ? QString::fromStdString(point.name)
                               : tr("%1: %2").arg(QString::fromStdString(point.name), QString::fromStdString(share)));
  }
  setAccessibleDescription(words.join(u"; "_s));
}

void RooflineView::setCurrent(int row) {
  selected_ = -1;
  // A row is of the last dispatch that begins with it or before.
  for (int i = 0; i < int(chart_.now.size()); ++i)
    if (chart_.now[i].row <= row && (selected_ < 0 || chart_.now[i].row > chart_.now[selected_].row))
      selected_ = i;
  update();
}

message::RooflinePlace RooflineView::place() const {
  const double line = fontMetrics().height(), left = 12 + fontMetrics().horizontalAdvance(u"1000000"_s),
               top = 2.2 * line, below = 2.6 * line;
  return {.left = left,
          .top = top,
          .width = std::max(40.0, width() - left - 14),
          .height = std::max(40.0, height() - top - below)};
}

QPointF RooflineView::positionOf(int point) const {
  const message::RooflineScale scale(chart_, place());
  const message::RooflinePoint &what = chart_.now[point];
  return {scale.x(what.intensity), scale.y(what.gflops)};
}

/// The nearest one within reach; of those at one place the one that takes longest.
int RooflineView::pointAt(const QPointF &position) const {
  int best = -1;
  double least = reach;
  for (int i = 0; i < int(chart_.now.size()); ++i) {
    const QPointF offset = positionOf(i) - position;
    const double distance = std::hypot(offset.x(), offset.y());
    const bool isNearer =
        distance < least - 0.5 || (best >= 0 && distance < least + 0.5 && chart_.now[i].us > chart_.now[best].us);
    if ((best < 0 && distance < least) || isNearer) {
      best = i;
      least = std::min(least, distance);
    }
  }
  return best;
}

void RooflineView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(),
                   QColor::fromRgb(message::roofline::colourOf(RooflineRole::Ground, Theme::of(palette()).dark)));
  if (chart_.isEmpty()) {
    paintHint(painter, rect(), palette(), hasRun_ ? tr("No peaks were measured in this run") : emptyTitle_, emptyHint_);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(isStale_ ? staleOpacity : 1);
  PainterCanvas canvas(painter, palette());
  paintNotes(painter);
  message::drawRoofline(canvas, chart_, place(), {.selected = selected_, .hovered = hovered_});
  painter.setOpacity(1);
  if (hasFocus())
    paintFocus(painter, rect(), palette());
}

/// In the line above the chart, at the right: what is not on it, and what rings are.
void RooflineView::paintNotes(QPainter &painter) const {
  const bool isDark = Theme::of(palette()).dark;
  const int line = fontMetrics().height();
  double right = width() - 14;
  const double least = place().left + fontMetrics().horizontalAdvance(u"GFLOP/s"_s);
  const auto write = [&](const QString &text, RooflineRole role) {
    const QString fitted = fontMetrics().elidedText(text, Qt::ElideRight, int(right - least));
    painter.setPen(QColor::fromRgb(message::roofline::colourOf(role, isDark)));
    right -= fontMetrics().horizontalAdvance(fitted);
    painter.drawText(QPointF(right, line), fitted);
    right -= 2 * fontMetrics().averageCharWidth();
  };
  if (!chart_.before.empty())
    write(tr("rings: before (%1)").arg(QString::fromStdString(chart_.beforeName)), RooflineRole::Before);
  if (chart_.leftOut > 0)
    write(tr("not shown: %1 whose work is not known").arg(counted(chart_.leftOut, tr("dispatch"), tr("dispatches"))),
          RooflineRole::Muted);
  else if (chart_.now.empty())
    write(tr("no dispatch ran on it"), RooflineRole::Muted);
}

QString RooflineView::pointToolTip(int index) const {
  const message::RooflinePoint &point = chart_.now[index];
  QStringList lines{u"<b>%1</b>"_s.arg(QString::fromStdString(point.name).toHtmlEscaped())};
  lines.append(tr("%1, %2 GFLOP/s, %3 GB/s")
                   .arg(formatMicroseconds(point.us), formatRate(point.flops / point.us * 1e-3),
                        (point.bytesAtMost ? u"\u2264 "_s : QString()) + formatRate(point.bytes / point.us * 1e-3)));
  if (const std::string share = message::shareText(point.limit, point.peak, point.share, point.bound); !share.empty())
    lines.append(tr("%1, which would take %2")
                     .arg(QString::fromStdString(share).toHtmlEscaped(), formatMicroseconds(point.limitUs)));
  if (point.movesOnly)
    lines.append(tr("It only moves data: it stands at the left edge, by its bandwidth"));
  for (const message::RooflineArrow &arrow : chart_.arrows)
    if (arrow.to == index) {
      const message::RooflinePoint &from = chart_.before[arrow.from];
      lines.append(
          tr("before: %1, %2").arg(QString::fromStdString(from.name).toHtmlEscaped(), formatMicroseconds(from.us)));
    }
  return lines.join(u"<br>"_s);
}

void RooflineView::select(int point) {
  selected_ = point;
  update();
  emit rowActivated(chart_.now[point].row);
}

void RooflineView::setHovered(int point) {
  if (point == hovered_)
    return;
  hovered_ = point;
  update();
}

void RooflineView::mouseMoveEvent(QMouseEvent *event) { setHovered(pointAt(event->position())); }
void RooflineView::leaveEvent(QEvent *) { setHovered(-1); }

void RooflineView::mousePressEvent(QMouseEvent *event) {
  if (const int point = pointAt(event->position()); point >= 0 && event->button() == Qt::LeftButton)
    select(point);
}

void RooflineView::keyPressEvent(QKeyEvent *event) {
  if (const auto place =
          itemByKey(*event, Qt::Horizontal | Qt::Vertical, int(order_.indexOf(selected_)), int(order_.size())))
    select(order_[*place]);
  else
    QWidget::keyPressEvent(event);
}

void RooflineView::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  menu.addAction(tr("Export Roofline\u2026"), this, &RooflineView::exportRequested)->setEnabled(!chart_.isEmpty());
  menu.exec(event->globalPos());
}

bool RooflineView::event(QEvent *event) {
  const auto textAt = [this](const QPoint &place) {
    const int point = pointAt(place);
    return point < 0 ? QString() : pointToolTip(point);
  };
  return showChartToolTip(event, this, textAt) || QWidget::event(event);
}

QByteArray RooflineView::svg() const {
  return QByteArray::fromStdString(message::rooflineSvg(chart_, Theme::of(palette()).dark));
}
QByteArray RooflineView::csv() const { return QByteArray::fromStdString(message::rooflineCsv(chart_)); }

} // namespace fuselage
