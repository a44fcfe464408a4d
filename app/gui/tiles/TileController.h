// Keeps the tile explorer showing the selected op: asks the engine, never twice at a time.
#pragma once
#include "app/bridge/EngineSession.h"
#include "app/bridge/TileTypes.h"
#include "views/common/SceneData.h"

namespace fuselage {

class TileExplorerPanel;

class TileController : public QObject {
  Q_OBJECT
public:
  TileController(EngineSession &session, TileExplorerPanel &panel, QObject *parent = nullptr);

  /// Follows the selection; noNode: nothing is selected.
  void select(int snapshot, NodeId id);
  /// The engine is only asked while the explorer can be seen.
  void setVisible(bool visible);
  /// Asks again, after a restart of the engine or for another document.
  void refresh();
  bool isSettled() const { return !asksDomain_ && !asksFootprint_ && !asksTrace_; }
  /// How long the last footprint took from the question to the answer, in milliseconds.
  double lastMilliseconds() const { return lastMilliseconds_; }

signals:
  /// Footprints are on screen.
  void shown();
  /// The op that makes this value was meant.
  void opActivated(qint64 id);

private:
  void requestDomain();
  void requestFootprint();
  void requestTrace();
  void activate(const QString &value);
  QJsonObject parameters() const;

  EngineSession &session_;
  TileExplorerPanel &panel_;
  protocol::TileReport report_;
  int snapshot_ = 0;
  NodeId id_ = noNode;
  bool visible_ = false;
  bool isCurrent_ = false; ///< the panel shows the op that is selected
  bool asksDomain_ = false, asksFootprint_ = false, asksTrace_ = false;
  bool again_ = false; ///< the question has changed while the engine was asked
  double lastMilliseconds_ = -1;
};

} // namespace fuselage
