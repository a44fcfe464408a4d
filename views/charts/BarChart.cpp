#include "views/charts/BarChart.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/RunWords.h"
#include "views/widgets/EmptyHint.h"
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 10;
static constexpr int axisHeight = 20;

BarChart::BarChart(QWidget *parent) : RowChart(parent) {
  setEnds(margin, axisHeight);
  setEmptyText(tr("No kernel times yet"), {});
  setAccessibleName(tr("Kernel times"));
}

/// Length of what all names begin with, up to a '_'; 0 for a single name.
static qsizetype commonPrefix(const QList<protocol::Kernel> &kernels) {
  QList<protocol::Kernel> named;
  std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(named),
               [](const protocol::Kernel &kernel) { return !kernel.onHost; });
  if (named.size() < 2)
    return 0;
  const QString first = named.first().dispatch;
  qsizetype length = first.size();
  for (const protocol::Kernel &kernel : std::as_const(named)) {
    length = std::min(length, kernel.dispatch.size());
    for (qsizetype i = 0; i < length; ++i)
      if (kernel.dispatch[i] != first[i])
        length = i;
  }
  return first.lastIndexOf(u'_', length - 1) + 1;
}

QString BarChart::nameOf(int row) const {
  const protocol::Kernel &kernel = kernels_[row];
  const QString name =
      kernel.onHost ? tr("host: %1").arg(kernel.dispatch) : partName(kernel.dispatch.mid(commonPrefix_), parts_[row]);
  const qint64 count = counts_.value(row, 1);
  return count > 1 ? u"%1  \u00d7%2"_s.arg(name, groupedNumber(count)) : name;
}

void BarChart::setKernels(const QList<protocol::Kernel> &kernels, const QList<qint64> &counts) {
  kernels_ = kernels;
  counts_ = counts;
  parts_ = partsOf(kernels);
  commonPrefix_ = commonPrefix(kernels);
  longest_ = nameWidth_ = timeWidth_ = 0;
  QStringList words;
  for (int row = 0; row < rowCount(); ++row) {
    const protocol::Kernel &kernel = kernels_[row];
    words.append(u"%1 %2"_s.arg(kernel.dispatch, formatMicroseconds(kernel.medianUs)));
    longest_ = std::max({longest_, kernel.p95Us, kernel.medianUs});
    nameWidth_ = std::max(nameWidth_, fontMetrics().horizontalAdvance(nameOf(row)) + 1); // it was rounded
    timeWidth_ = std::max(timeWidth_, fontMetrics().horizontalAdvance(formatMicroseconds(kernel.medianUs)));
  }
  setAccessibleDescription(words.join(u", "_s));
  rowsChanged();
}

BarChart::Axis BarChart::axis() const {
  const int left = margin + std::min(nameWidth_, viewport()->width() / 2) + 8;
  const int width = std::max(20, viewport()->width() - left - timeWidth_ - 8 - margin);
  return {.left = left, .width = width, .scale = longest_ > 0 ? width / longest_ : 0};
}

/// Grid lines, with their labels under the last row.
void BarChart::paintBackground(QPainter &painter) {
  if (longest_ <= 0)
    return;
  const Axis along = axis();
  const int foot = std::min(rowsArea().bottom() + 1, placeOf(rowCount() - 1).bottom() + 2);
  const double step = niceStep(longest_, std::clamp(along.width / 70, 2, 8));
  const QColor muted = mutedText(palette());
  QColor grid = muted;
  grid.setAlphaF(0.25f);
  for (int i = 0; i * step <= longest_; ++i) {
    const int x = along.left + int(std::lround(i * step * along.scale));
    painter.setPen(grid);
    painter.drawLine(x, rowsArea().top() - 4, x, foot);
    painter.setPen(muted);
    painter.drawText(QRect(x - 45, foot + 1, 90, axisHeight - 2), Qt::AlignCenter,
                     i == 0 ? u"0"_s : formatMicroseconds(i * step));
  }
}

void BarChart::paintRow(QPainter &painter, int row, const QRect &place) {
  const protocol::Kernel &kernel = kernels_[row];
  const SignalColours colours = signalColours(palette());
  const Axis along = axis();
  const int names = along.left - margin - 8;
  const bool isFine = kernel.onHost || kernel.ok() || kernel.verdict == protocol::RunVerdict::Unchecked;
  painter.setPen(isFine ? palette().color(QPalette::Text) : colours.error);
  painter.drawText(QRect(margin, place.top(), names, place.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(nameOf(row), Qt::ElideMiddle, names));
  painter.setPen(mutedText(palette()));
  painter.drawText(QRect(place.right() - margin - timeWidth_, place.top(), timeWidth_, place.height()),
                   Qt::AlignRight | Qt::AlignVCenter, formatMicroseconds(kernel.medianUs));
  if (kernel.medianUs < 0)
    return; // nobody knows
  const QRectF bar(along.left, place.top() + 5, std::max(2.0, kernel.medianUs * along.scale), place.height() - 10);
  painter.setPen(Qt::NoPen);
  painter.setBrush(!isFine ? colours.error : kernel.onHost ? mutedText(palette()) : Theme::of(palette()).accent);
  painter.drawRoundedRect(bar, 2, 2);
  const double middle = bar.center().y(), last = along.left + kernel.p95Us * along.scale;
  painter.setPen(QPen(palette().color(QPalette::Text), 1));
  painter.drawLine(QPointF(along.left + kernel.minUs * along.scale, middle), QPointF(last, middle));
  painter.drawLine(QPointF(last, middle - 3), QPointF(last, middle + 3));
}

QString BarChart::rowToolTip(int row) const {
  const protocol::Kernel &kernel = kernels_[row];
  QString text = tr("<b>%1</b><br>median %2, min %3, p95 %4<br>%5 GFLOP/s, %6 GB/s")
                     .arg(partName(kernel.dispatch, parts_[row]).toHtmlEscaped(), formatMicroseconds(kernel.medianUs),
                          formatMicroseconds(kernel.minUs), formatMicroseconds(kernel.p95Us), formatRate(kernel.gflops),
                          (kernel.gbpsAtMost && kernel.gbps > 0 ? u"\u2264 "_s : QString()) + formatRate(kernel.gbps));
  if (parts_[row].of > 1)
    text += tr(", its %1 kernels together").arg(parts_[row].of);
  if (const QString share = shareSentence(kernel.limit); !share.isEmpty())
    text += u"<br>"_s + share.toHtmlEscaped();
  if (const QString bars = histogram(kernel.samples); !bars.isEmpty())
    text += u"<br>%1 <tt>%2</tt> %3"_s.arg(formatMicroseconds(kernel.minUs), bars,
                                           formatMicroseconds(slowest(kernel.samples)));
  return text;
}

} // namespace fuselage
