#include "app/gui/tuning/TuneTiles.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/tiles/TileController.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileWalk.h"

using namespace Qt::StringLiterals;

namespace fuselage {

TuneTiles::TuneTiles(EngineSession &session, TileCanvas &canvas, TileController &explorer, QObject *parent)
    : QObject(parent), session_(session), canvas_(canvas), explorer_(explorer) {}

void TuneTiles::clear(const QString &title, const QString &hint) {
  ++cleared_;
  next_.reset();
  canvas_.setEmpty(title, hint);
  explorer_.unfollow();
}

void TuneTiles::show(int snapshot, qint64 op, const protocol::TuneTile &tile, const QMap<QString, qint64> &dimensions) {
  ask({.op = {.snapshot = snapshot, .dimensions = dimensions, .id = op}, .sizes = tile.sizes});
  canvas_.setInner(tile.inner);
  explorer_.follow(snapshot, op, tile.sizes, tile.inner);
}

void TuneTiles::ask(const protocol::Request<method::TileFootprint> &question) {
  if (asks_) {
    next_ = question;
    return;
  }
  asks_ = true;
  const auto end = [this] {
    asks_ = false;
    if (const auto next = std::exchange(next_, std::nullopt))
      ask(*next);
  };
  session_.client().call<method::TileFootprint>(
      question, this,
      [this, end, then = cleared_](const protocol::TileReport &report) {
        if (then == cleared_)
          take(report);
        end();
      },
      [this, end, then = cleared_](const protocol::Error &error) {
        if (then == cleared_ && error.code != protocol::Error::EngineGone)
          canvas_.setEmpty(tr("The tile cannot be shown"), error.message);
        end();
      });
}

void TuneTiles::take(const protocol::TileReport &report) {
  QList<qint64> ranges, sizes;
  for (const protocol::TileLoop &loop : report.loops) {
    ranges.append(loop.range);
    sizes.append(loop.size);
  }
  TileWalk walk;
  walk.setLoops(ranges, sizes, report.order);
  canvas_.setReport(report);
  canvas_.setWalk(walk);
  emit shown();
}

} // namespace fuselage
