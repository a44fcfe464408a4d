// The tiles of an op in one order of its loops: pictures, and what was loaded and computed up to the one on screen.
#pragma once
#include "views/messages/TileTypes.h"
#include "views/tiles/TileWalk.h"
#include <QWidget>
#include <utility>

class QComboBox;
class QLabel;

namespace fuselage {

class TileCanvas;

class TileSide : public QWidget {
  Q_OBJECT
public:
  /// `name`: of the list of orders, for who cannot see it.
  explicit TileSide(const QString &name, QWidget *parent = nullptr);

  /// Nothing to explore, and what to do.
  void setEmpty(const QString &title, const QString &hint);
  /// Order and tile stay as far as they still exist. `swaps`: where no order was chosen, the two innermost loops that
  /// are cut change places.
  void setLoops(const QList<protocol::TileDomainLoop> &loops, const QList<qint64> &sizes, bool swaps);
  const TileWalk &walk() const { return walk_; }
  void setTile(const QList<qint64> &tile);
  /// Loops from outer to inner.
  void setOrder(const QList<int> &order);
  void setReport(const protocol::TileReport &report);
  void setSequence(const protocol::TileSequence &sequence);
  /// True once for each order and sizes: the sequence of these is to be asked for.
  bool takeQuestion() { return std::exchange(isToBeAsked_, false); }
  bool hasSequence() const { return !sequence_.live.isEmpty(); }
  /// Of the order and sizes that are set; empty: not known yet.
  const protocol::TileSequence &sequence() const { return sequence_; }
  /// "loaded 12.0 KiB · computed again 6 · live 4.00 KiB"; empty: not known yet.
  QString counters() const;

  TileCanvas &canvas() const { return *canvas_; }
  QComboBox &orders() const { return *orders_; }

signals:
  void orderChanged();

private:
  void fillOrders();
  void showCounters();

  QList<protocol::TileDomainLoop> loops_;
  QList<int> chosen_; ///< by the user; empty: none was
  TileWalk walk_;
  protocol::TileSequence sequence_;
  bool isToBeAsked_ = false;
  QComboBox *orders_;
  QLabel *counters_;
  TileCanvas *canvas_;
};

} // namespace fuselage
