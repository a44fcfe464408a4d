// The tile explorer: sizes on the left, pictures in the middle, how it is made on the right.
#pragma once
#include "views/messages/TileTypes.h"
#include "views/tiles/TileSide.h"
#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

namespace fuselage {

class TileNumbers;
class TileSizes;
class TileTraceView;

/// What is asked of the engine.
struct TileQuestion {
  QList<qint64> sizes, tile;
  QList<int> order; ///< loops from outer to inner
  bool fuse = true;
  QList<qint64> kept; ///< producers that stay outside
  qint64 limit = -1;  ///< workgroup memory; -1: the engine's default
  QString device;
  qint64 cache = 0; ///< bytes that the traffic is for; 0: none
};

/// Gets values and emits what the user wants; knows no engine.
class TileExplorerPanel : public QWidget {
  Q_OBJECT
public:
  explicit TileExplorerPanel(QWidget *parent = nullptr);

  /// Nothing to explore, and what to do.
  void setEmpty(const QString &title, const QString &hint);
  /// Another op, or the same one with other producers fused: sizes stay where the loops are the same.
  void setDomain(const protocol::TileDomain &domain);
  /// `side`: see question().
  void setReport(const protocol::TileReport &report, int side = 0);
  void setSequence(const protocol::TileSequence &sequence, int side);
  /// See TileCanvas.
  void setInner(const QList<qint64> &sizes);
  void setTrace(const protocol::TileTrace &trace);
  void setTraceError(const QString &message);
  /// Devices by name, with their workgroup memory.
  void setDevices(const QList<std::pair<QString, qint64>> &devices);

  bool hasDomain() const { return !domain_.loops.isEmpty(); }
  /// Of the order on the left; 1: of the other one beside it, where two are compared.
  TileQuestion question(int side = 0) const;
  int sideCount() const { return other_->isHidden() ? 1 : 2; }
  TileSide &side(int side) const { return side == 0 ? *side_ : *other_; }
  /// Shows two orders of the loops beside each other, which go from tile to tile together.
  QToolButton *twoOrders() const { return twoOrders_; }
  /// By loop, as if the user had set them; 0: the loop stays whole.
  void setSizes(const QList<qint64> &sizes);
  /// As if the user had chosen it on the left, and the first tile is shown; empty: the loops' own.
  void setOrder(const QList<int> &order);
  /// As nobody has set anything: one order, no cache, producers fused, loops in their own order.
  void reset();
  /// As if the user had set them: the cache in KiB (0: none), and whether producers are fused.
  void setCost(int cacheKiB, bool fuses);
  /// "8, 16", with 0 for loops that stay whole.
  QString tileSizes() const;
  qint64 op() const { return domain_.op.id; }
  /// The same for workgroups: loops of a reduction stay whole.
  QString workgroupSizes() const;
  QPushButton *scheduleButton() const { return schedule_; }
  QPushButton *pipelineButton() const { return pipeline_; }
  QSpinBox *cacheNumber() const { return cache_; }
  QCheckBox *fuseBox() const { return fuse_; }
  QString assumptions() const;
  const TileWalk &walk() const { return side_->walk(); }
  bool isPlaying() const { return timer_.isActive(); }

  TileCanvas &canvas() { return side_->canvas(); }
  TileSizes &sizes() { return *sizes_; }
  TileTraceView &trace() { return *trace_; }
  void setPlaying(bool playing);
  /// By this many tiles in loop order; INT_MIN and INT_MAX: to the first and the last.
  void step(int by);

signals:
  /// Sizes, tile or limit are others: the footprint is.
  void questionChanged();
  /// Other producers are fused: the domain is to be asked for again.
  void fusionChanged();
  void traceRequested();
  /// The op is to be tiled so by a line of the schedule.
  void scheduleRequested();
  /// All tiling passes of the pipeline are to use these sizes.
  void pipelineRequested();
  /// The op that makes this value was meant.
  void valueActivated(const QString &value);

private:
  QWidget *buildControls();
  QWidget *buildPlayer();
  void sizesChanged();
  void orderChanged();
  void setLoops();
  void setNumber(qint64 number);
  void fillProducers();
  void fitControls();
  void showWalk();
  void setControlsEnabled(bool enabled);

  protocol::TileDomain domain_;
  QTimer timer_;
  QLabel *title_;
  QLabel *place_;
  QLabel *notes_, *assumptions_;
  QSpinBox *cache_; ///< KiB
  QCheckBox *fuse_;
  QPushButton *schedule_, *pipeline_;
  QCheckBox *snap_;
  QComboBox *device_;
  QListWidget *producers_;
  QSlider *speed_;
  QToolButton *play_;
  QList<QToolButton *> stepButtons_;
  TileSizes *sizes_;
  TileNumbers *numbers_;
  TileSide *side_, *other_;
  QToolButton *twoOrders_;
  TileTraceView *trace_;
  QWidget *controls_;
};

} // namespace fuselage
