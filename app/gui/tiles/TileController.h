// Keeps the tile explorer showing the selected op: asks the engine, never twice at a time.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "core/protocol/methods/TileMethods.h"
#include "views/common/SceneData.h"
#include "views/messages/TileTypes.h"
#include <optional>

class QDockWidget;

namespace fuselage {

class PipelineController;
class RunController;
class StepsController;
class TextController;
class TileExplorerPanel;

class TileController : public Controller {
  Q_OBJECT
public:
  TileController(Shell &shell, StepsController &steps, TextController &text, RunController &run,
                 PipelineController &pipeline);

  TileExplorerPanel &panel();
  /// Raises the explorer, with room for its pictures.
  void raise();
  /// Follows the selection; noNode: nothing is selected.
  void select(int snapshot, NodeId id);
  /// Shows an op with these sizes by loop (0: whole), and `inner` of them in registers (TileCanvas::setInner), whatever
  /// is selected, until another op is or unfollow() is called.
  /// `order`: of the loops, from outer to inner, empty for their own; none: as it was chosen.
  void follow(int snapshot, NodeId id, const QList<qint64> &sizes, const QList<qint64> &inner,
              const std::optional<QList<int>> &order = std::nullopt);
  void unfollow();
  /// Of the tile that is shown; null: none is.
  const protocol::TileReport *report() const;
  /// How long the last footprint took from the question to the answer, in milliseconds.
  double lastMilliseconds() const { return lastMilliseconds_; }

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void graphShown(int snapshot) override;
  void engineRecovered(int steps) override;
  bool isSettled() const override { return !asksDomain_ && !asksFootprint_ && !asksTrace_; }

signals:
  /// Footprints are on screen, or what the tiles load.
  void shown();
  /// The op is to be tiled so, with or without its producers; sizes as in "8, 16", 0 for a loop that stays whole.
  void tileChosen(int snapshot, qint64 op, bool fuse, const QString &sizes);

private:
  void connectPanel();
  void resize();
  void showWhere();
  /// The engine is only asked while the explorer can be seen.
  void setVisible(bool visible);
  /// Asks again, after a restart of the engine or for another document.
  void refresh();
  void setDevices(const QList<protocol::Device> &devices);
  void takeFollowed();
  void requestDomain();
  void requestFootprint();
  void requestSide(int side);
  void requestSequence(int side);
  void requestTrace();
  void activate(const QString &value);
  protocol::Request<method::TileFootprint> wanted(int side = 0) const;

  LazyPanel<TileExplorerPanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  TextController &text_;
  RunController &run_;
  PipelineController &pipeline_;
  protocol::TileReport report_;
  int snapshot_ = 0;
  int shown_ = 0; ///< the snapshot on screen
  NodeId id_ = noNode;
  bool visible_ = false;
  bool isCurrent_ = false; ///< the panel shows the op that is selected
  bool asksDomain_ = false, asksFootprint_ = false, asksTrace_ = false;
  struct Followed {
    QList<qint64> sizes, inner;
    std::optional<QList<int>> order;
  };
  std::optional<Followed> followed_; ///< what something else sets; none: the user does
  bool again_ = false;               ///< the question has changed while the engine was asked
  double lastMilliseconds_ = -1;
};

} // namespace fuselage
