#include "views/charts/KnobMap.h"
#include "views/charts/ChartInput.h"
#include "views/common/Theme.h"
#include "views/models/trials/TrialModel.h"
#include "views/widgets/EmptyHint.h"
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 10;
static constexpr int scaleWidth = 10;

static const TrialList none;

KnobMap::KnobMap(QWidget *parent) : QWidget(parent), trials_(&none) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void KnobMap::setTrials(const TrialList &trials) {
  trials_ = &trials;
  collect();
}

void KnobMap::setKnobs(const QString &across, const QStringList &acrossValues, const QString &up,
                       const QStringList &upValues) {
  auto shown = std::tie(across_, acrossValues_, up_, upValues_);
  const auto wanted = std::tie(across, acrossValues, up, upValues);
  if (wanted != shown)
    current_ = hovered_ = {-1, -1};
  shown = wanted;
  collect();
}

void KnobMap::setCurrent(int trial) {
  const auto placeOf = [&](const QString &knob, const QStringList &values) {
    return trial < 0 || trial >= trials_->size() ? -1 : int(values.indexOf(trials_->at(trial).parameters.value(knob)));
  };
  const Cell cell{placeOf(across_, acrossValues_), placeOf(up_, upValues_)};
  current_ = cells_.contains(cell) ? cell : Cell{-1, -1};
  update();
}

void KnobMap::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  update();
}

void KnobMap::collect() {
  cells_.clear();
  low_ = high_ = -1;
  const QList<int> columns = trials_->placesOf(across_, acrossValues_), rows = trials_->placesOf(up_, upValues_);
  for (int trial = 0; trial < trials_->size(); ++trial) {
    const Cell cell{columns[trial], rows[trial]};
    if (cell.first < 0 || cell.second < 0)
      continue;
    const auto known = cells_.constFind(cell);
    if (known == cells_.cend() || trials_->speed(trial) > trials_->speed(*known))
      cells_[cell] = trial;
  }
  for (const int trial : std::as_const(cells_))
    if (const double speed = trials_->speed(trial); speed > 0) {
      low_ = low_ < 0 ? speed : std::min(low_, speed);
      high_ = std::max(high_, speed);
    }
  setAccessibleDescription(tr("%1 of %2 pairs of %3 and %4 were tried")
                               .arg(cells_.size())
                               .arg(acrossValues_.size() * upValues_.size())
                               .arg(across_, up_));
  update();
}

QRectF KnobMap::area() const {
  const int line = fontMetrics().height();
  int widest = 0;
  for (const QString &value : upValues_)
    widest = std::max(widest, fontMetrics().horizontalAdvance(value));
  const int scale = scaleWidth + fontMetrics().horizontalAdvance(u"10.00\u00d7"_s) + 16;
  return QRectF(rect()).adjusted(margin + std::min(widest, width() / 4) + 6, margin + line + 4, -(margin + scale),
                                 -(margin + line + 4));
}

QRectF KnobMap::placeOf(int column, int row) const {
  const QRectF room = area();
  const double w = room.width() / double(std::max<qsizetype>(1, acrossValues_.size())),
               h = room.height() / double(std::max<qsizetype>(1, upValues_.size()));
  const double left = std::round(room.left() + column * w), right = std::round(room.left() + (column + 1) * w);
  const double bottom = std::round(room.bottom() - row * h), top = std::round(room.bottom() - (row + 1) * h);
  return {left, top, right - left, bottom - top};
}

KnobMap::Cell KnobMap::cellAt(const QPointF &position) const {
  const QRectF room = area();
  if (!room.contains(position))
    return {-1, -1};
  return {std::min(int(acrossValues_.size()) - 1,
                   int((position.x() - room.left()) / room.width() * double(acrossValues_.size()))),
          std::min(int(upValues_.size()) - 1,
                   int((room.bottom() - position.y()) / room.height() * double(upValues_.size())))};
}

QColor KnobMap::colourOf(double speed) const {
  const Theme &theme = Theme::of(palette());
  return mix(theme.accent, theme.surface, high_ > low_ ? 0.1 + 0.9 * (speed - low_) / (high_ - low_) : 0.6);
}

void KnobMap::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (cells_.isEmpty()) {
    paintHint(painter, rect(), palette(), emptyTitle_, emptyHint_);
    return;
  }
  const Theme &theme = Theme::of(palette());
  painter.fillRect(area(), mix(theme.border, theme.surface, 0.25));
  const bool isRoomy =
      area().width() / double(acrossValues_.size()) > 6 && area().height() / double(upValues_.size()) > 6;
  for (auto cell = cells_.cbegin(); cell != cells_.cend(); ++cell) {
    const QRectF place = placeOf(cell.key().first, cell.key().second)
                             .adjusted(isRoomy ? 0.5 : 0, isRoomy ? 0.5 : 0, isRoomy ? -0.5 : 0, isRoomy ? -0.5 : 0);
    const double speed = trials_->speed(*cell);
    painter.fillRect(place, speed > 0 ? colourOf(speed) : mix(theme.error, theme.surface, 0.35));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  mark(painter, cells_.key(trials_->best(), {-1, -1}), theme.success);
  mark(painter, hovered_, theme.textMuted);
  mark(painter, current_, theme.text);
  paintLabels(painter);
  paintScale(painter);
  if (hasFocus())
    paintFocus(painter, rect(), palette());
}

/// A frame around a cell, apart from its colour by a line of the ground's.
void KnobMap::mark(QPainter &painter, const Cell &cell, const QColor &colour) const {
  if (cell.first < 0)
    return;
  constexpr double least = 8; // a frame has room for something in it
  QRectF place = placeOf(cell.first, cell.second);
  const QPointF middle = place.center();
  place.setSize(place.size().expandedTo({least, least}));
  place.moveCenter(middle);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Theme::of(palette()).surface, 4));
  painter.drawRect(place.adjusted(2, 2, -2, -2));
  painter.setPen(QPen(colour, 2));
  painter.drawRect(place.adjusted(1, 1, -1, -1));
}

void KnobMap::paintLabels(QPainter &painter) const {
  const QRectF room = area();
  const int line = fontMetrics().height();
  painter.setPen(Theme::of(palette()).textMuted);
  painter.drawText(QRectF(margin, margin, width() - 2 * margin, line), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("best for each %1 (horizontal) and %2 (vertical)").arg(across_, up_));
  double free = room.left() - margin;
  for (int i = 0; i < acrossValues_.size(); ++i) {
    const double x = placeOf(i, 0).center().x(), half = fontMetrics().horizontalAdvance(acrossValues_[i]) / 2.0 + 3;
    if (x - half < free)
      continue;
    painter.drawText(QRectF(x - 60, room.bottom() + 4, 120, line), Qt::AlignHCenter | Qt::AlignTop, acrossValues_[i]);
    free = x + half;
  }
  free = room.bottom() + line;
  for (int i = 0; i < upValues_.size(); ++i) {
    const double y = placeOf(0, i).center().y();
    if (y + line / 2.0 > free)
      continue;
    painter.drawText(QRectF(0, y - line / 2.0, room.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(upValues_[i], Qt::ElideRight, int(room.left()) - 6));
    free = y - line / 2.0;
  }
}

void KnobMap::paintScale(QPainter &painter) const {
  if (high_ < 0)
    return;
  const QRectF room = area(), bar(room.right() + 12, room.top(), scaleWidth, room.height());
  constexpr int steps = 48;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < steps; ++i)
    painter.fillRect(
        QRectF(bar.left(), bar.bottom() - (i + 1) * bar.height() / steps, bar.width(), bar.height() / steps + 1),
        colourOf(low_ + (high_ - low_) * i / (steps - 1)));
  painter.setPen(Theme::of(palette()).textMuted);
  const QRectF words(bar.right() + 4, bar.top(), width() - bar.right() - 4, bar.height());
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, formatSpeed(high_));
  if (low_ < high_)
    painter.drawText(words, Qt::AlignLeft | Qt::AlignBottom, formatSpeed(low_));
}

QString KnobMap::cellText(const QPoint &position) const {
  const Cell cell = cellAt(position);
  if (cell.first < 0)
    return {};
  const QString pair = u"%1=%2 %3=%4"_s.arg(across_, acrossValues_[cell.first], up_, upValues_[cell.second]);
  const int trial = trialOf(cell.first, cell.second);
  if (trial < 0)
    return tr("%1: not tried").arg(pair);
  const double speed = trials_->speed(trial);
  return speed > 0
             ? tr("%1: %2 as fast as the baseline, trial %3").arg(pair, formatSpeed(speed)).arg(trials_->number(trial))
             : tr("%1: %2, trial %3").arg(pair, trials_->status(trial)).arg(trials_->number(trial));
}

void KnobMap::select(const Cell &cell) {
  const int trial = trialOf(cell.first, cell.second);
  if (trial < 0)
    return;
  current_ = cell;
  update();
  emit trialActivated(trial);
}

void KnobMap::setHovered(const Cell &cell) {
  if (cell == hovered_)
    return;
  hovered_ = cell;
  update();
}

void KnobMap::mouseMoveEvent(QMouseEvent *event) { setHovered(cellAt(event->position())); }
void KnobMap::leaveEvent(QEvent *) { setHovered({-1, -1}); }

void KnobMap::mousePressEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton)
    select(cellAt(event->position()));
}

KnobMap::Cell KnobMap::firstCell() const {
  Cell first{-1, -1};
  for (auto cell = cells_.cbegin(); cell != cells_.cend(); ++cell)
    if (first.first < 0 || *cell < trialOf(first.first, first.second))
      first = cell.key();
  return first;
}

/// To the next cell in that direction that was tried.
void KnobMap::keyPressEvent(QKeyEvent *event) {
  Cell step{0, 0};
  switch (event->key()) {
  case Qt::Key_Left:
    step = {-1, 0};
    break;
  case Qt::Key_Right:
    step = {1, 0};
    break;
  case Qt::Key_Up:
    step = {0, 1};
    break;
  case Qt::Key_Down:
    step = {0, -1};
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return select(current_);
  case Qt::Key_Home:
    return select(firstCell());
  case Qt::Key_End:
    return select(cells_.key(trials_->best(), current_));
  default:
    QWidget::keyPressEvent(event);
    return;
  }
  if (current_.first < 0)
    return select(firstCell());
  for (Cell at{current_.first + step.first, current_.second + step.second};
       at.first >= 0 && at.second >= 0 && at.first < acrossValues_.size() && at.second < upValues_.size();
       at = {at.first + step.first, at.second + step.second})
    if (trialOf(at.first, at.second) >= 0)
      return select(at);
}

bool KnobMap::event(QEvent *event) {
  return showChartToolTip(event, this, [this](const QPoint &place) { return cellText(place); }) ||
         QWidget::event(event);
}

} // namespace fuselage
