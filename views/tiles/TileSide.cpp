#include "views/tiles/TileSide.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/tiles/TileCanvas.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Loops whose order is offered; those beyond stay where they are.
static constexpr qsizetype mostLoops = 4;

TileSide::TileSide(const QString &name, QWidget *parent)
    : QWidget(parent), orders_(new QComboBox), counters_(new QLabel), canvas_(new TileCanvas) {
  orders_->setAccessibleName(name);
  orders_->setToolTip(tr("Order of the loops over tiles, from outer to inner"));
  counters_->setForegroundRole(QPalette::PlaceholderText);
  counters_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  counters_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  counters_->setToolTip(tr(
      "Up to this tile: bytes read from memory, where a tile finds what the one just before it touched, and points of "
      "producers that a tile before had computed. Live: bytes that this tile keeps in workgroup memory"));
  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 4);
  row->setSpacing(10);
  row->addWidget(orders_);
  row->addWidget(counters_, 1);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(canvas_, 1);
  setFocusProxy(canvas_);
  connect(orders_, &QComboBox::activated, this, [this](int index) {
    setOrder(orders_->itemData(index).value<QList<int>>());
    emit orderChanged();
  });
  setEmpty({}, {});
}

void TileSide::setEmpty(const QString &title, const QString &hint) {
  loops_.clear();
  chosen_.clear();
  walk_ = {};
  sequence_ = {};
  counters_->clear();
  orders_->clear();
  orders_->hide();
  canvas_->setEmpty(title, hint);
}

void TileSide::setLoops(const QList<protocol::TileDomainLoop> &loops, const QList<qint64> &sizes, bool swaps) {
  const bool isSame = std::equal(loops.begin(), loops.end(), loops_.begin(), loops_.end(),
                                 [](const auto &a, const auto &b) { return a.name == b.name && a.range == b.range; });
  if (!isSame) {
    chosen_.clear();
    walk_ = {};
  }
  loops_ = loops;
  sequence_ = {};
  isToBeAsked_ = true;
  QList<qint64> ranges;
  for (const protocol::TileDomainLoop &loop : loops)
    ranges.append(loop.range);
  walk_.setLoops(ranges, sizes, chosen_);
  if (QList<int> order = walk_.order(); swaps && chosen_.isEmpty()) {
    const auto isCut = [this](int loop) { return walk_.trips(loop) > 1; };
    const auto inner = std::find_if(order.rbegin(), order.rend(), isCut);
    const auto outer = inner == order.rend() ? inner : std::find_if(inner + 1, order.rend(), isCut);
    if (outer != order.rend()) {
      std::iter_swap(inner, outer);
      walk_.setLoops(ranges, sizes, order);
    }
  }
  fillOrders();
  canvas_->setWalk(walk_);
  showCounters();
}

/// The orders of the loops that are cut: of the others, all are the same.
void TileSide::fillOrders() {
  QList<int> places, cut;
  for (int place = 0; place < walk_.order().size(); ++place)
    if (walk_.trips(walk_.order()[place]) > 1 && places.size() < mostLoops) {
      places.append(place);
      cut.append(walk_.order()[place]);
    }
  std::sort(cut.begin(), cut.end());
  orders_->clear();
  int current = 0;
  do {
    QList<int> order = walk_.order();
    QStringList names;
    for (qsizetype i = 0; i < places.size(); ++i) {
      order[places[i]] = cut[i];
      names.append(loops_[cut[i]].name);
    }
    if (order == walk_.order())
      current = orders_->count();
    orders_->addItem(names.join(u" \u2192 "_s), QVariant::fromValue(order));
  } while (std::next_permutation(cut.begin(), cut.end()));
  orders_->setCurrentIndex(current);
  orders_->setVisible(orders_->count() > 1);
}

void TileSide::setTile(const QList<qint64> &tile) {
  walk_.setTile(tile);
  canvas_->setWalk(walk_);
  showCounters();
}

void TileSide::setOrder(const QList<int> &order) {
  chosen_ = order;
  setLoops(loops_, walk_.sizes(), false);
}

void TileSide::setReport(const protocol::TileReport &report) { canvas_->setReport(report); }

void TileSide::setSequence(const protocol::TileSequence &sequence) {
  sequence_ = sequence;
  showCounters();
}

QString TileSide::counters() const {
  const qint64 tile = loops_.isEmpty() ? 0 : walk_.number();
  if (sequence_.live.isEmpty())
    return {};
  if (tile >= sequence_.live.size())
    return tr("counted up to tile %1").arg(groupedNumber(sequence_.live.size()));
  const qint64 loaded = sequence_.loaded[tile], again = sequence_.again[tile], live = sequence_.live[tile];
  QStringList parts;
  parts.append(loaded < 0 ? tr("loads not known") : tr("loaded %1").arg(formatBytes(loaded)));
  parts.append(again < 0 ? tr("recomputation not known") : tr("computed again %1").arg(groupedNumber(again)));
  if (live >= 0)
    parts.append(tr("live %1").arg(formatBytes(live)));
  return parts.join(u" \u00b7 "_s);
}

void TileSide::showCounters() { counters_->setText(counters()); }

} // namespace fuselage
