// Tiles of an iteration domain in loop order.
#pragma once
#include "views/messages/TileTypes.h"

namespace fuselage {

/// Where a walk over the tiles stands. Loops are counted from 0; `order` names them from outer to inner.
class TileWalk {
public:
  /// Keeps the place as far as it still exists.
  void setLoops(const QList<qint64> &ranges, const QList<qint64> &sizes, const QList<int> &order = {});

  const QList<qint64> &sizes() const { return sizes_; }
  const QList<qint64> &tile() const { return tile_; }
  const QList<int> &order() const { return order_; }
  qint64 trips(int loop) const { return (ranges_[loop] + sizes_[loop] - 1) / sizes_[loop]; }
  qint64 total() const;
  qint64 number() const { return numberOf(tile_); }
  /// The number of any tile, in loop order.
  qint64 numberOf(const QList<qint64> &tile) const;
  bool isAtEnd() const { return number() + 1 >= total(); }

  /// Clamps to the tiles there are.
  void setTile(const QList<qint64> &tile);
  void setNumber(qint64 number);
  /// False, and nothing changes, at the end or the beginning.
  bool next();
  bool previous();

private:
  QList<qint64> ranges_, sizes_, tile_;
  QList<int> order_;
};

} // namespace fuselage
