#include "views/tiles/TileSizes.h"
#include "views/common/Theme.h"
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

TileSizes::TileSizes(QWidget *parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(6);
  grid_->setVerticalSpacing(2);
  grid_->setColumnStretch(1, 1);
}

void TileSizes::setLoops(const QList<protocol::TileDomainLoop> &loops) {
  for (const Row &row : rows_)
    for (QWidget *widget : {static_cast<QWidget *>(row.name), static_cast<QWidget *>(row.slider),
                            static_cast<QWidget *>(row.number), static_cast<QWidget *>(row.trips)})
      widget->deleteLater();
  rows_.clear();
  loops_ = loops;
  sizes_.clear();
  for (int loop = 0; loop < loops.size(); ++loop) {
    const protocol::TileDomainLoop &given = loops[loop];
    sizes_.append(std::clamp<qint64>(given.suggested, 1, std::max<qint64>(1, given.range)));
    Row row{.name = new QLabel(given.isReduction ? tr("%1 \u03a3").arg(given.name) : given.name, this),
            .slider = new QSlider(Qt::Horizontal, this),
            .number = new QSpinBox(this),
            .trips = new QLabel(this)};
    row.name->setToolTip(given.isReduction ? tr("reduction loop of %1 iterations").arg(given.range)
                                           : tr("parallel loop of %1 iterations").arg(given.range));
    row.slider->setAccessibleName(tr("Tile size of %1").arg(given.name));
    row.slider->setMinimumWidth(60);
    row.number->setAccessibleName(tr("Tile size of %1 as a number").arg(given.name));
    row.number->setRange(1, int(std::min<qint64>(given.range, INT_MAX)));
    row.number->setKeyboardTracking(false);
    row.name->setBuddy(row.number);
    row.trips->setForegroundRole(QPalette::PlaceholderText);
    grid_->addWidget(row.name, 2 * loop, 0);
    grid_->addWidget(row.slider, 2 * loop, 1);
    grid_->addWidget(row.number, 2 * loop, 2);
    grid_->addWidget(row.trips, 2 * loop + 1, 1, 1, 2);
    rows_.append(row);
    showRow(loop);
    connect(row.slider, &QSlider::valueChanged, this,
            [this, loop](int position) { setSize(loop, sizeAt(loop, position)); });
    connect(row.number, &QSpinBox::valueChanged, this, [this, loop](int size) { setSize(loop, size); });
  }
}

QList<qint64> TileSizes::sizes() const { return sizes_; }

void TileSizes::setSizes(const QList<qint64> &sizes) {
  for (int loop = 0; loop < sizes_.size() && loop < sizes.size(); ++loop) {
    sizes_[loop] = std::clamp<qint64>(sizes[loop], 1, std::max<qint64>(1, loops_[loop].range));
    showRow(loop);
  }
}

void TileSizes::setSnapping(bool snapping) {
  snapping_ = snapping;
  bool changed = false;
  for (int loop = 0; loop < rows_.size(); ++loop) {
    const qint64 before = sizes_[loop];
    if (snapping)
      sizes_[loop] = sizeAt(loop, positionOf(loop, before));
    changed |= sizes_[loop] != before;
    showRow(loop);
  }
  if (changed)
    emit sizesChanged();
}

qint64 TileSizes::sizeAt(int loop, int position) const {
  const QList<qint64> &divisors = loops_[loop].divisors;
  return snapping_ && !divisors.isEmpty() ? divisors[std::clamp<qsizetype>(position, 0, divisors.size() - 1)]
                                          : position + 1;
}

/// Of a size between two divisors, that of the nearer one.
int TileSizes::positionOf(int loop, qint64 size) const {
  const QList<qint64> &divisors = loops_[loop].divisors;
  if (!snapping_ || divisors.isEmpty())
    return int(size - 1);
  auto nearest = std::min_element(divisors.begin(), divisors.end(),
                                  [size](qint64 a, qint64 b) { return std::abs(a - size) < std::abs(b - size); });
  return int(nearest - divisors.begin());
}

void TileSizes::setSize(int loop, qint64 size) {
  if (sizes_[loop] == size)
    return;
  sizes_[loop] = size;
  showRow(loop);
  emit sizesChanged();
}

void TileSizes::showRow(int loop) {
  const Row &row = rows_[loop];
  const qint64 range = loops_[loop].range, size = sizes_[loop], trips = (range + size - 1) / size;
  const QSignalBlocker sliderBlocker(row.slider), numberBlocker(row.number);
  row.slider->setRange(0, snapping_ && !loops_[loop].divisors.isEmpty() ? int(loops_[loop].divisors.size()) - 1
                                                                        : int(std::min<qint64>(range, INT_MAX)) - 1);
  row.slider->setPageStep(snapping_ ? 1 : std::max(1, int(range / 16)));
  row.slider->setValue(positionOf(loop, size));
  row.slider->setEnabled(range > 1);
  row.number->setEnabled(range > 1);
  row.number->setValue(int(size));
  QString text = trips == 1 ? tr("of %1 \u00b7 whole").arg(groupedNumber(range))
                            : tr("of %1 \u00b7 %2 trips").arg(groupedNumber(range), groupedNumber(trips));
  if (const qint64 last = range - (trips - 1) * size; last != size)
    text += tr(", last %1").arg(last);
  row.trips->setText(text);
}

} // namespace fuselage
