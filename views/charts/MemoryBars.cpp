#include "views/charts/MemoryBars.h"
#include "views/charts/BufferTimeline.h"
#include "views/common/Theme.h"
#include "views/models/BufferModel.h"
#include <QPainter>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 8, barHeight = 8, barGap = 3, groupGap = 6;

MemoryBars::MemoryBars(QWidget *parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Peak memory"));
}

void MemoryBars::setPeaks(const protocol::BufferPeaks &after) {
  after_ = after;
  before_.reset();
  refresh();
}

void MemoryBars::setBefore(const std::optional<protocol::BufferPeaks> &before) {
  before_ = before;
  refresh();
}

void MemoryBars::refresh() {
  QStringList words;
  for (const QString &space : spaces())
    words.append(before_ ? tr("%1: %2 before, %3 after")
                               .arg(space, formatBytes(before_->value(space)), formatBytes(after_.value(space)))
                         : tr("%1: %2").arg(space, formatBytes(after_.value(space))));
  setAccessibleDescription(words.join(u"; "_s));
  setToolTip(words.isEmpty() ? QString() : tr("Peak memory. ") + words.join(u"; "_s));
  updateGeometry();
  update();
}

QStringList MemoryBars::spaces() const {
  QStringList all = after_.keys();
  if (before_)
    for (const QString &space : before_->keys())
      if (!all.contains(space))
        all.append(space);
  all.sort();
  return all;
}

int MemoryBars::groupHeight() const {
  return before_ ? 2 * barHeight + barGap : std::max(barHeight, fontMetrics().height());
}

QSize MemoryBars::sizeHint() const {
  const int groups = int(spaces().size());
  if (groups == 0)
    return {240, 0};
  const int height = std::max(groupHeight(), before_ ? 2 * fontMetrics().height() : 0);
  return {240, groups * (height + groupGap) + margin};
}

void MemoryBars::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme &theme = Theme::of(palette());
  const QStringList all = spaces();
  int names = 0, values = 0;
  const QString beforeText = tr("before"), afterText = tr("after");
  const auto valueOf = [&](const protocol::BufferPeaks &peaks, const QString &space, const QString &when) {
    return before_ ? when + u"  "_s + formatBytes(peaks.value(space)) : formatBytes(peaks.value(space));
  };
  for (const QString &space : all) {
    names = std::max(names, fontMetrics().horizontalAdvance(space));
    values = std::max(values, fontMetrics().horizontalAdvance(valueOf(after_, space, beforeText)));
    if (before_)
      values = std::max(values, fontMetrics().horizontalAdvance(valueOf(*before_, space, beforeText)));
  }
  const int left = margin + names + 10, width = std::max(10, this->width() - left - values - 2 * margin);
  int y = margin / 2;
  for (const QString &space : all) {
    const int lines = before_ ? 2 : 1, line = fontMetrics().height();
    const qint64 most = std::max<qint64>({1, after_.value(space).bytes, before_ ? before_->value(space).bytes : 0});
    const QColor colour = spaceColour(theme, space);
    painter.setPen(theme.text);
    painter.drawText(QRect(margin, y, names + 2, lines * line), Qt::AlignLeft | Qt::AlignVCenter, space);
    for (int i = 0; i < lines; ++i) {
      const bool isBefore = before_ && i == 0;
      const protocol::BufferPeaks &peaks = isBefore ? *before_ : after_;
      const double length = double(peaks.value(space).bytes) / double(most) * width;
      const QRectF track(left, y + i * line + (line - barHeight) / 2.0, width, barHeight);
      painter.setPen(Qt::NoPen);
      painter.setBrush(mix(theme.border, theme.surface, 0.5));
      painter.drawRoundedRect(track, 2, 2);
      painter.setBrush(isBefore ? mix(colour, theme.surface, 0.45) : colour);
      if (length > 0)
        painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.0, length), barHeight)), 2, 2);
      painter.setPen(isBefore ? theme.textMuted : theme.text);
      painter.drawText(QRect(left + width + margin, y + i * line, values + 2, line), Qt::AlignRight | Qt::AlignVCenter,
                       valueOf(peaks, space, isBefore ? beforeText : afterText));
    }
    y += lines * line + groupGap;
  }
}

} // namespace fuselage
