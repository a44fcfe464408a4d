#include "views/charts/TrialPlot.h"
#include "views/charts/ChartInput.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/trials/TrialModel.h"
#include "views/widgets/EmptyHint.h"
#include <QKeyEvent>
#include <QPainter>
#include <QSet>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 10;
static constexpr double dotRadius = 3.5;
static const TrialList none;

TrialPlot::TrialPlot(QWidget *parent) : QWidget(parent), trials_(&none) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void TrialPlot::setTrials(const TrialList &trials) {
  trials_ = &trials;
  most_ = 1;
  for (int row = 0; row < trials_->size(); ++row)
    most_ = std::max(most_, trials_->speed(row));
  most_ *= 1.08;
  if (current_ >= trials_->size())
    current_ = -1;
  hovered_ = -1;
  place();
}

void TrialPlot::setKnob(const QString &name, const QStringList &values) {
  knob_ = name;
  values_ = values;
  place();
}

void TrialPlot::place() {
  places_ = knob_.isEmpty() ? QList<int>() : trials_->placesOf(knob_, values_);
  picture_ = {};
  describe();
  update();
}

void TrialPlot::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  update();
}

void TrialPlot::setCurrent(int row) {
  current_ = row < trials_->size() ? row : -1;
  update();
}

void TrialPlot::measure() {
  const int line = fontMetrics().height(), scale = fontMetrics().horizontalAdvance(u"10.0\u00d7"_s);
  area_ = QRectF(rect()).adjusted(margin + scale + 6, margin + line + 4, -margin, -(margin + line + 4));
  picture_ = {};
}

double TrialPlot::xOf(int row) const {
  const QRectF room = area();
  if (knob_.isEmpty())
    return room.left() + (row + 0.5) * room.width() / std::max(1, trials_->size());
  const double width = room.width() / double(std::max<qsizetype>(1, values_.size()));
  // Trials of one value stand beside each other, as they came.
  const double within = trials_->size() < 2 ? 0 : (double(row) / (trials_->size() - 1) - 0.5) * 0.5;
  return room.left() + (double(places_[row]) + 0.5 + within) * width;
}

double TrialPlot::yOf(double speed) const {
  const QRectF room = area();
  return room.bottom() - std::max(0.0, speed) / most_ * room.height();
}

QPointF TrialPlot::positionOf(int row) const { return {xOf(row), yOf(trials_->speed(row))}; }

void TrialPlot::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (trials_->isEmpty()) {
    paintHint(painter, rect(), palette(), emptyTitle_, emptyHint_);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (const qint64 colours = palette().cacheKey(); colours != std::exchange(pictureColours_, colours))
    picture_ = {};
  makePicture();
  paintAxes(painter);
  paintFoot(painter);
  if (knob_.isEmpty())
    paintBestSoFar(painter);
  paintDots(painter);
  if (hasFocus())
    paintFocus(painter, rect(), palette());
}

/// The scale at the left, with the baseline at 1.
void TrialPlot::paintAxes(QPainter &painter) const {
  const QRectF room = area();
  const Theme &theme = Theme::of(palette());
  const int line = fontMetrics().height();
  painter.setPen(theme.textMuted);
  QString title = knob_.isEmpty() ? tr("times as fast as the baseline, trial by trial")
                                  : tr("times as fast as the baseline, by %1").arg(knob_);
  if (dots_ < trials_->size())
    title += tr("; %1 dots for %2 trials").arg(groupedNumber(dots_), groupedNumber(trials_->size()));
  painter.drawText(QRectF(margin, margin, width() - 2 * margin, line), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(title, Qt::ElideRight, width() - 2 * margin));
  const double step = niceStep(most_, std::clamp(int(room.height()) / 36, 2, 8));
  QColor grid = theme.textMuted;
  grid.setAlphaF(0.22f);
  for (int i = 0; i * step <= most_; ++i) {
    const double y = std::round(yOf(i * step)) + 0.5;
    painter.setPen(grid);
    painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
    painter.setPen(theme.textMuted);
    painter.drawText(QRectF(0, y - line / 2.0, room.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     i == 0 ? u"0"_s : QString::number(i * step, 'g', 3) + u'\u00d7');
  }
  painter.setPen(QPen(theme.textMuted, 1.2, Qt::DashLine));
  painter.drawLine(QPointF(room.left(), yOf(1)), QPointF(room.right(), yOf(1)));
}

/// Numbers of trials, or values, as many as there is room for.
void TrialPlot::paintFoot(QPainter &painter) const {
  const QRectF room = area();
  painter.setPen(Theme::of(palette()).textMuted);
  const auto label = [&](double x, const QString &text) {
    const double half = fontMetrics().horizontalAdvance(text) / 2.0 + 2, middle = std::min(x, width() - half);
    painter.drawText(QRectF(middle - half, room.bottom() + 4, 2 * half, fontMetrics().height()),
                     Qt::AlignHCenter | Qt::AlignTop, text);
  };
  if (knob_.isEmpty()) {
    const int step = std::max(1, int(niceStep(double(trials_->size()), std::clamp(int(room.width()) / 60, 1, 10))));
    for (int row = 0; row < trials_->size(); row += row == 0 && step > 1 ? step - 1 : step)
      label(xOf(row), groupedNumber(trials_->number(row)));
    return;
  }
  const double width = room.width() / double(std::max<qsizetype>(1, values_.size()));
  double free = room.left() - margin;
  for (int i = 0; i < values_.size(); ++i) {
    const double x = room.left() + (i + 0.5) * width, half = fontMetrics().horizontalAdvance(values_[i]) / 2.0 + 3;
    if (x - half < free)
      continue;
    label(x, values_[i]);
    free = x + half;
  }
}

void TrialPlot::paintBestSoFar(QPainter &painter) const {
  QPolygonF steps;
  double best = -1;
  for (int row = 0; row < trials_->size(); ++row)
    if (trials_->isBest(row)) {
      if (best > 0)
        steps.append(QPointF(xOf(row), yOf(best)));
      best = trials_->speed(row);
      steps.append(QPointF(xOf(row), yOf(best)));
    }
  if (steps.isEmpty())
    return;
  steps.append(QPointF(area().right(), yOf(best)));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Theme::of(palette()).accent, 2));
  painter.drawPolyline(steps);
}

QList<int> TrialPlot::rowsToPaint() const {
  constexpr int fewest = 2000; // are painted each
  constexpr double side = 3;   // pixels, less than a dot is wide
  QList<int> rows;
  QSet<quint64> taken; // places, by what is painted there
  for (int row = 0; row < trials_->size(); ++row) {
    const QPointF at = positionOf(row) / side;
    const quint64 place = (quint64(at.x()) << 40) + (quint64(at.y()) << 20) + quint64(trials_->kind(row));
    if (trials_->size() > fewest && taken.contains(place))
      continue;
    taken.insert(place);
    rows.append(row);
  }
  return rows;
}

/// All dots but those that stand out: what moves with the mouse is painted over them.
void TrialPlot::makePicture() {
  if (!picture_.isNull() && picture_.devicePixelRatio() == devicePixelRatioF())
    return;
  picture_ = QPixmap(size() * devicePixelRatioF());
  picture_.setDevicePixelRatio(devicePixelRatioF());
  picture_.fill(Qt::transparent);
  QPainter painter(&picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  const QList<int> rows = rowsToPaint();
  for (const int row : rows)
    paintDot(painter, row, false);
  dots_ = int(rows.size());
}

void TrialPlot::paintDots(QPainter &painter) const {
  painter.drawPixmap(0, 0, picture_);
  for (const int row : {trials_->best(), current_, hovered_})
    if (row >= 0)
      paintDot(painter, row, row == current_ || row == hovered_);
}

void TrialPlot::paintDot(QPainter &painter, int row, bool isSet) const {
  const Theme &theme = Theme::of(palette());
  const QString &status = trials_->status(row);
  const QPointF at = positionOf(row);
  const bool isBest = row == trials_->best(), isFew = isRough(status);
  const double radius = dotRadius + (isBest ? 1.5 : 0) + (isSet ? 1 : 0);
  if (trials_->speed(row) > 0) {
    // A ring where it was cut short, as few launches say little.
    QColor colour = isBest ? theme.success : isFew ? theme.textFaint : theme.accent;
    painter.setPen(isSet ? QPen(theme.text, 1.6) : isFew ? QPen(colour, 1.2) : QPen(theme.surface, 1));
    colour.setAlphaF(isFew ? 0.f : isBest || isSet ? 1.f : 0.65f);
    painter.setBrush(colour);
    painter.drawEllipse(at, radius, radius);
    return;
  }
  // A cross on the floor.
  const bool isTwin = status == "duplicate"_L1;
  painter.setPen(QPen(isSet ? theme.text : isTwin ? theme.textFaint : theme.error, 1.6));
  painter.drawLine(at - QPointF(3, 6), at + QPointF(3, 0));
  painter.drawLine(at + QPointF(-3, 0), at + QPointF(3, -6));
}

int TrialPlot::trialAt(const QPointF &position) const {
  constexpr double reach = 9;
  int nearest = -1;
  double least = reach * reach;
  for (int row = 0; row < trials_->size(); ++row) {
    const QPointF apart = positionOf(row) - position;
    if (const double square = QPointF::dotProduct(apart, apart); square <= least) {
      least = square;
      nearest = row;
    }
  }
  return nearest;
}

QString TrialPlot::trialToolTip(int row) const {
  const protocol::TuneTrial trial = trials_->at(row);
  QString text = tr("<b>Trial %1</b>: %2<br>%3")
                     .arg(trial.number)
                     .arg(pointText(trial.parameters).toHtmlEscaped(), trial.status.toHtmlEscaped());
  if (trial.medianUs >= 0)
    text +=
        tr(", median %1, the baseline %2: %3 as fast")
            .arg(formatMicroseconds(trial.medianUs), formatMicroseconds(trial.baselineUs), formatSpeed(speedOf(trial)));
  if (!trial.why.isEmpty())
    text += u"<br>"_s + trial.why.toHtmlEscaped();
  return text;
}

void TrialPlot::select(int row) {
  if (row < 0)
    return;
  setCurrent(row);
  emit trialActivated(row);
}

void TrialPlot::mouseMoveEvent(QMouseEvent *event) {
  if (const int row = trialAt(event->position()); row != hovered_) {
    hovered_ = row;
    update();
  }
}

void TrialPlot::mousePressEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton)
    select(trialAt(event->position()));
}

void TrialPlot::keyPressEvent(QKeyEvent *event) {
  if (const auto row = itemByKey(*event, Qt::Horizontal, current_, trials_->size()))
    select(*row);
  else
    QWidget::keyPressEvent(event);
}

void TrialPlot::leaveEvent(QEvent *) {
  hovered_ = -1;
  update();
}

bool TrialPlot::event(QEvent *event) {
  const auto textAt = [this](const QPoint &place) {
    const int row = trialAt(place);
    return row < 0 ? QString() : trialToolTip(row);
  };
  return showChartToolTip(event, this, textAt) || QWidget::event(event);
}

void TrialPlot::resizeEvent(QResizeEvent *) { measure(); }

void TrialPlot::changeEvent(QEvent *event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    measure();
  QWidget::changeEvent(event);
}

void TrialPlot::describe() {
  QString text = counted(trials_->size(), tr("trial"), tr("trials"));
  if (const int best = trials_->best(); best >= 0)
    text += tr(", the best %1 as fast as the baseline: %2")
                .arg(formatSpeed(trials_->speed(best)), pointText(trials_->at(best).parameters));
  setAccessibleDescription(text);
}

} // namespace fuselage
