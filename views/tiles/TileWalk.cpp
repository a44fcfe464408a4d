#include "views/tiles/TileWalk.h"
#include <algorithm>

namespace fuselage {

void TileWalk::setLoops(const QList<qint64> &ranges, const QList<qint64> &sizes, const QList<int> &order) {
  ranges_ = ranges;
  QList<qint64> clamped; // `sizes` may be those of this walk
  for (int loop = 0; loop < ranges.size(); ++loop)
    clamped.append(std::clamp<qint64>(sizes.value(loop, ranges[loop]), 1, std::max<qint64>(1, ranges[loop])));
  sizes_ = clamped;
  order_ = order;
  if (order_.size() != ranges.size()) {
    order_.clear();
    for (int loop = 0; loop < ranges.size(); ++loop)
      order_.append(loop);
  }
  setTile(tile_);
}

qint64 TileWalk::total() const {
  qint64 total = 1;
  for (int loop = 0; loop < ranges_.size(); ++loop)
    total *= trips(loop);
  return total;
}

qint64 TileWalk::numberOf(const QList<qint64> &tile) const {
  qint64 number = 0;
  for (int loop : order_)
    number = number * trips(loop) + tile[loop];
  return number;
}

void TileWalk::setTile(const QList<qint64> &tile) {
  QList<qint64> clamped;
  for (int loop = 0; loop < ranges_.size(); ++loop)
    clamped.append(std::clamp<qint64>(tile.value(loop), 0, trips(loop) - 1));
  tile_ = clamped;
}

void TileWalk::setNumber(qint64 number) {
  number = std::clamp<qint64>(number, 0, total() - 1);
  for (qsizetype i = order_.size(); i-- > 0;) {
    const int loop = order_[i];
    tile_[loop] = number % trips(loop);
    number /= trips(loop);
  }
}

bool TileWalk::next() {
  if (isAtEnd())
    return false;
  setNumber(number() + 1);
  return true;
}

bool TileWalk::previous() {
  if (number() == 0)
    return false;
  setNumber(number() - 1);
  return true;
}

} // namespace fuselage
