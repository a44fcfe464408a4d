// Shows the tile that a point of a tuning makes: in the panel, and in the tile explorer.
#pragma once
#include "app/bridge/RequestWriter.h"
#include "core/protocol/methods/TileMethods.h"
#include "views/messages/TileTypes.h"
#include "views/messages/TuneTypes.h"
#include <QObject>
#include <optional>

namespace fuselage {

class EngineSession;
class TileCanvas;
class TileController;

/// Asks the engine, never twice at a time; the last question is always answered.
class TuneTiles : public QObject {
  Q_OBJECT
public:
  TuneTiles(EngineSession &session, TileCanvas &canvas, TileController &explorer, QObject *parent);

  /// The first tile of an op of a snapshot; of sizes by loop, 0 is a whole one. `dimensions` as of
  /// tiles/footprint.
  void show(int snapshot, qint64 op, const protocol::TuneTile &tile, const QMap<QString, qint64> &dimensions);
  /// There is none, and why.
  void clear(const QString &title, const QString &hint);
  bool isSettled() const { return !asks_; }

signals:
  /// The tile is on screen.
  void shown();

private:
  void ask(const protocol::Request<method::TileFootprint> &question);
  void take(const protocol::TileReport &report);

  EngineSession &session_;
  TileCanvas &canvas_;
  TileController &explorer_;
  bool asks_ = false;
  std::optional<protocol::Request<method::TileFootprint>>
      next_;            ///< the question has changed while the engine was asked
  quint64 cleared_ = 0; ///< answers to questions before that are not shown
};

} // namespace fuselage
