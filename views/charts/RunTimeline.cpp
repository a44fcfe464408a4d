#include "views/charts/RunTimeline.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include <QPainter>
#include <numeric>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int barHeight = 6, gap = 3, spacing = 14, markSize = 8, leastWidth = 3;
static constexpr double microseconds = 1000;

RunTimeline::RunTimeline(QWidget *parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Phases of the run"));
  timer_.setInterval(250);
  connect(&timer_, &QTimer::timeout, this, [this] {
    refresh();
    emit ticked();
  });
}

void RunTimeline::follow(const protocol::RunProgress &progress) {
  for (int phase = 0; phase < message::runPhaseCount; ++phase)
    ms_[size_t(phase)] = phase < progress.phaseMs.size() ? progress.phaseMs[phase] : 0;
  current_ = int(progress.phase);
  since_.start();
  timer_.start();
  refresh();
}

void RunTimeline::setShares(const protocol::RunShares &shares) {
  ms_ = {shares.readMs + shares.inputsMs + shares.formMs, shares.compileMs, shares.uploadMs + shares.runMs,
         shares.checkMs};
  current_ = -1;
  timer_.stop();
  refresh();
}

void RunTimeline::stop() {
  for (int phase = 0; phase < message::runPhaseCount; ++phase)
    ms_[size_t(phase)] = msOf(protocol::RunPhase(phase));
  current_ = -1;
  timer_.stop();
  refresh();
}

void RunTimeline::clear() {
  ms_ = {};
  current_ = -1;
  timer_.stop();
  refresh();
}

double RunTimeline::msOf(protocol::RunPhase phase) const {
  return ms_[size_t(phase)] + (int(phase) == current_ ? double(since_.elapsed()) : 0);
}

QString RunTimeline::label(int phase) const {
  const QString names[] = {tr("read"), tr("compile"), tr("run"), tr("check")};
  return u"%1 %2"_s.arg(names[phase], formatMicroseconds(msOf(protocol::RunPhase(phase)) * microseconds));
}

QString RunTimeline::text() const {
  QStringList labels;
  for (int phase = 0; phase < message::runPhaseCount; ++phase)
    if (msOf(protocol::RunPhase(phase)) > 0 || phase == current_)
      labels.append(label(phase));
  return labels.join(u", "_s);
}

/// Accents of dispatches that lie apart.
QColor RunTimeline::colour(int phase) const { return Theme::of(palette()).dispatch(phase * 3); }

void RunTimeline::refresh() {
  setAccessibleDescription(text());
  setToolTip(text().isEmpty() ? QString() : tr("Where the time of the run went: %1").arg(text()));
  setVisible(!text().isEmpty());
  update();
}

QSize RunTimeline::sizeHint() const { return {420, barHeight + gap + fontMetrics().height()}; }
QSize RunTimeline::minimumSizeHint() const { return {160, sizeHint().height()}; }

void RunTimeline::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const Theme &theme = Theme::of(palette());
  constexpr int mostWidth = 560;
  const int width = std::min(this->width(), mostWidth);
  double total = 0;
  for (int phase = 0; phase < message::runPhaseCount; ++phase)
    total += msOf(protocol::RunPhase(phase));
  int barX = 0, labelX = 0;
  const int baseline = barHeight + gap + fontMetrics().ascent();
  for (int phase = 0; phase < message::runPhaseCount; ++phase) {
    const double ms = msOf(protocol::RunPhase(phase));
    if (ms <= 0 && phase != current_)
      continue;
    const int part = total > 0 ? std::max(leastWidth, int(width * ms / total)) : leastWidth;
    painter.fillRect(QRect(barX, 0, std::min(part, width - barX), barHeight), colour(phase));
    barX = std::min(barX + part, width);
    const QString words = label(phase);
    const int wordsWidth = fontMetrics().horizontalAdvance(words);
    if (labelX + markSize + gap + wordsWidth > this->width())
      continue; // the tooltip has all of them
    painter.fillRect(QRect(labelX, baseline - markSize, markSize, markSize), colour(phase));
    painter.setPen(phase == current_ ? theme.text : theme.textMuted);
    painter.drawText(labelX + markSize + gap, baseline, words);
    labelX += markSize + gap + wordsWidth + spacing;
  }
}

} // namespace fuselage
