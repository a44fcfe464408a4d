#include "views/panels/BarChart.h"
#include "views/models/Format.h"
#include "views/panels/EmptyHint.h"
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 10;
static constexpr int axisHeight = 20;

BarChart::BarChart(QWidget *parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Kernel times"));
}

int BarChart::rowHeight() const { return fontMetrics().height() + 9; }

/// Length of what all names begin with, up to a '_'; 0 for a single name.
static qsizetype commonPrefix(const QList<protocol::Kernel> &kernels) {
  if (kernels.size() < 2)
    return 0;
  const QString first = kernels.first().dispatch;
  qsizetype length = first.size();
  for (const protocol::Kernel &kernel : kernels) {
    length = std::min(length, kernel.dispatch.size());
    for (qsizetype i = 0; i < length; ++i)
      if (kernel.dispatch[i] != first[i])
        length = i;
  }
  return first.lastIndexOf(u'_', length - 1) + 1;
}

QString BarChart::nameOf(const protocol::Kernel &kernel) const { return kernel.dispatch.mid(commonPrefix_); }

void BarChart::setKernels(const QList<protocol::Kernel> &kernels) {
  kernels_ = kernels;
  commonPrefix_ = commonPrefix(kernels);
  hovered_ = current_ = -1;
  QStringList words;
  for (const protocol::Kernel &kernel : kernels)
    words.append(u"%1 %2"_s.arg(kernel.dispatch, formatMicroseconds(kernel.medianUs)));
  setAccessibleDescription(words.join(u", "_s));
  updateScrollBar();
  viewport()->update();
}

void BarChart::setCurrent(int kernel) {
  current_ = kernel;
  viewport()->update();
}

void BarChart::updateScrollBar() {
  const int content = int(kernels_.size()) * rowHeight() + axisHeight + margin;
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
}

void BarChart::resizeEvent(QResizeEvent *) { updateScrollBar(); }

/// 1, 2 or 5 times a power of ten, so that about `steps` of them fill `range`.
static double niceStep(double range, int steps) {
  const double raw = range / std::max(1, steps);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double rest = raw / power;
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

void BarChart::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().base());
  if (kernels_.isEmpty()) {
    paintHint(painter, viewport()->rect(), palette(), tr("No kernel times yet"), {});
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const SignalColours colours = signalColours(palette());
  const QColor muted = mutedText(palette());
  double longest = 0;
  int nameWidth = 0, timeWidth = 0;
  for (const protocol::Kernel &kernel : kernels_) {
    longest = std::max({longest, kernel.p95Us, kernel.medianUs});
    nameWidth = std::max(nameWidth, fontMetrics().horizontalAdvance(nameOf(kernel)));
    timeWidth = std::max(timeWidth, fontMetrics().horizontalAdvance(formatMicroseconds(kernel.medianUs)));
  }
  nameWidth = std::min(nameWidth, viewport()->width() * 2 / 5);
  const int left = margin + nameWidth + 8;
  const int width = std::max(20, viewport()->width() - left - timeWidth - 8 - margin);
  const double scale = longest > 0 ? width / longest : 0;
  const int top = margin - verticalScrollBar()->value();

  // Grid lines first, labels at the foot of the view.
  if (longest > 0) {
    const double step = niceStep(longest, std::clamp(width / 90, 1, 8));
    const int foot = std::min(viewport()->height() - axisHeight, top + int(kernels_.size()) * rowHeight() + 2);
    QColor grid = muted;
    grid.setAlphaF(0.25f);
    for (int i = 0; i * step <= longest; ++i) {
      const int x = left + int(std::lround(i * step * scale));
      painter.setPen(grid);
      painter.drawLine(x, std::max(0, top - 4), x, foot);
      painter.setPen(muted);
      painter.drawText(QRect(x - 45, foot + 1, 90, axisHeight - 2), Qt::AlignCenter, i == 0 ? u"0"_s : formatMicroseconds(i * step));
    }
    painter.setClipRect(0, 0, viewport()->width(), foot);
  }

  for (int i = 0; i < kernels_.size(); ++i) {
    const protocol::Kernel &kernel = kernels_[i];
    const QRect row(0, top + i * rowHeight(), viewport()->width(), rowHeight());
    if (row.bottom() < 0 || row.top() > viewport()->height())
      continue;
    if (i == current_ || i == hovered_) {
      QColor ground = palette().color(QPalette::Highlight);
      ground.setAlphaF(i == current_ ? 0.22f : 0.12f);
      painter.fillRect(row, ground);
    }
    painter.setPen(kernel.ok ? palette().color(QPalette::Text) : colours.error);
    painter.drawText(QRect(margin, row.top(), nameWidth, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(nameOf(kernel), Qt::ElideMiddle, nameWidth));
    const QRectF bar(left, row.top() + 5, std::max(2.0, kernel.medianUs * scale), row.height() - 10);
    painter.setPen(Qt::NoPen);
    painter.setBrush(kernel.ok ? palette().color(QPalette::Highlight) : colours.error);
    painter.drawRoundedRect(bar, 2, 2);
    const double middle = bar.center().y();
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(QPointF(left + kernel.minUs * scale, middle), QPointF(left + kernel.p95Us * scale, middle));
    painter.drawLine(QPointF(left + kernel.p95Us * scale, middle - 3), QPointF(left + kernel.p95Us * scale, middle + 3));
    painter.setPen(muted);
    painter.drawText(QRect(viewport()->width() - margin - timeWidth, row.top(), timeWidth, row.height()),
                     Qt::AlignRight | Qt::AlignVCenter, formatMicroseconds(kernel.medianUs));
  }
}

int BarChart::kernelAt(const QPoint &position) const {
  const int y = position.y() - margin + verticalScrollBar()->value();
  const int row = y < 0 ? -1 : y / rowHeight();
  return row < kernels_.size() ? row : -1;
}

void BarChart::mouseMoveEvent(QMouseEvent *event) {
  const int kernel = kernelAt(event->pos());
  if (kernel == hovered_)
    return;
  hovered_ = kernel;
  viewport()->update();
}

void BarChart::mousePressEvent(QMouseEvent *event) {
  const int kernel = kernelAt(event->pos());
  if (kernel >= 0)
    emit kernelActivated(kernel);
}

void BarChart::keyPressEvent(QKeyEvent *event) {
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (!step || kernels_.isEmpty()) {
    QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  const int kernel = std::clamp(current_ + step, 0, int(kernels_.size()) - 1);
  setCurrent(kernel);
  emit kernelActivated(kernel);
}

void BarChart::leaveEvent(QEvent *) {
  hovered_ = -1;
  viewport()->update();
}

bool BarChart::viewportEvent(QEvent *event) {
  if (event->type() != QEvent::ToolTip)
    return QAbstractScrollArea::viewportEvent(event);
  const auto *help = static_cast<QHelpEvent *>(event);
  const int row = kernelAt(help->pos());
  if (row < 0) {
    QToolTip::hideText();
    return true;
  }
  const protocol::Kernel &kernel = kernels_[row];
  QToolTip::showText(help->globalPos(),
                     tr("<b>%1</b><br>median %2, min %3, p95 %4<br>%5 GFLOP/s, %6 GB/s")
                         .arg(kernel.dispatch.toHtmlEscaped(), formatMicroseconds(kernel.medianUs),
                              formatMicroseconds(kernel.minUs), formatMicroseconds(kernel.p95Us),
                              formatRate(kernel.gflops), formatRate(kernel.gbps)),
                     viewport());
  return true;
}

} // namespace fuselage
