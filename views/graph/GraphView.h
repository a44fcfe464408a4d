// The graph canvas: one widget that paints what is visible, and talks in op ids.
#pragma once
#include "views/common/Marks.h"
#include "views/common/SceneData.h"
#include "views/graph/Camera.h"
#include "views/graph/GraphLegend.h"
#include <QElapsedTimer>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

class QRegularExpression;

namespace fuselage {

class GraphPainter;
class Minimap;
class PreparedScene;
struct GraphPaintState;
enum class PaintQuality;

/// What is followed from the selection; everything else is dimmed.
enum class Trace { None, Inputs, Outputs, Both };

/// Shows a SceneData. Mouse: drag or wheel pans, Ctrl+wheel or pinch zooms around the pointer, click
/// selects a node or an edge (Ctrl adds nodes, Shift+drag selects an area), double-click activates a node or toggles a
/// cluster. Zooming into a collapsed box opens it under the pointer, zooming out closes what was opened so. Keys:
/// arrows walk along edges (without a selection, to the first box in sight; with Shift, they pan), + - 0 zoom, F fits,
/// Shift+F fits the selection, T I O trace both ways, inputs, outputs, M minimap, Space collapses or expands, Return
/// activates, Home and End go to the first and last node, Escape clears trace and selection.
class GraphView : public QWidget {
  Q_OBJECT
  Q_PROPERTY(bool minimapVisible READ isMinimapVisible WRITE setMinimapVisible NOTIFY minimapVisibleChanged)
public:
  explicit GraphView(QWidget *parent = nullptr);
  ~GraphView() override;

  /// Shows another scene. Nodes known from the scene before (same snapshot and id, or `origins`: new
  /// id -> old id) glide to their new place, the selection follows them, and the camera keeps the
  /// selected or else the centred node where it was. Without a scene before, shows the start.
  /// Matches, changes and heat are cleared.
  void setScene(const SceneData &scene, const QHash<NodeId, NodeId> &origins = {});
  /// The same for a scene that was prepared on another thread.
  void setScene(std::shared_ptr<const PreparedScene> scene, const QHash<NodeId, NodeId> &origins = {});
  /// Nothing to show; the next scene is fitted.
  void clear();
  const SceneData &scene() const;
  /// Whether it is a node or a cluster of the scene.
  bool contains(NodeId id) const;
  /// What the last frame cost.
  const GraphPainter &painter() const { return *painter_; }
  /// Shown when there are no nodes: a headline and what to do.
  void setEmptyText(const QString &title, const QString &hint);
  const QString &emptyTitle() const { return emptyTitle_; }
  /// A line over the canvas while work goes on elsewhere; empty: none.
  void setBusyText(const QString &text);

  NodeId currentNode() const { return current_; } ///< noNode: none
  QList<NodeId> selectedNodes() const;            ///< sorted
  /// Selects by program, without selectionChanged. Ids that are not in the scene are left out.
  /// `reveal` moves the camera if the first of them is out of sight.
  void setSelection(const QList<NodeId> &ids, bool reveal = true);
  Trace trace() const { return trace_; }

  /// Search hits, in order; none: empty. The current one is centred by nextMatch/previousMatch.
  void setMatches(const QList<NodeId> &ids);
  /// Makes those nodes the hits whose title or subtitle matches; returns them.
  const QList<NodeId> &find(const QRegularExpression &expression);
  int matchCount() const { return int(matches_.size()); }
  int currentMatch() const { return currentMatch_; } ///< -1: none

  /// Of ops; those in a closed box mark the box.
  void setChanges(const QHash<NodeId, Change> &changes);
  /// Dims what the step did not change, for a second.
  void flashChanges();
  bool isFlashing() const;
  void setHeat(const HeatData &heat);
  const HeatData &heat() const;
  /// Verdicts of the edges, by index in scene().edges; empty: none, and no legend. Gone with the scene. `counts` are
  /// the legend's numbers.
  void setMarks(const QList<EdgeMark> &marks, const FusionCounts &counts = {},
                const QHash<NodeId, EdgeMark> &inside = {});
  /// The tooltip of an edge, as rich text; an empty one leaves what the view knows.
  void setEdgeToolTipProvider(std::function<QString(int)> provider) { edgeToolTips_ = std::move(provider); }
  /// A line at the end of the tool tip of an edge, in rich text; empty: there is nothing to say.
  void setEdgeNoteProvider(std::function<QString(int)> provider) { edgeNotes_ = std::move(provider); }
  QString edgeToolTip(int edge) const;
  int currentEdge() const; ///< index in scene().edges; -1: none
  /// Selects an edge by program, without edgeSelected, in place of nodes; -1: none. `reveal` moves the
  /// camera there, if it is not well in sight.
  void setCurrentEdge(int edge, bool reveal = true);
  /// The edge under a point of the widget; -1: none, or too far away to tell.
  int edgeAt(QPointF position) const;
  /// A point on an edge, in widget coordinates.
  QPointF placeOf(int edge) const;
  /// Bookmarks on nodes; like selections they follow the ops into the next scene of the snapshot, others are to be set
  /// again.
  void setNoted(const QSet<NodeId> &nodes);
  const QSet<NodeId> &noted() const;
  /// Badges on nodes, with a legend; the next scene has none.
  void setNodeMarks(const QList<NodeMark> &marks);
  const QList<NodeMark> &nodeMarks() const { return nodeMarks_; }
  /// The same for remarks, which have one row of the legend together.
  void setRemarkMarks(const QList<NodeMark> &marks);
  const QList<NodeMark> &remarkMarks() const { return remarkMarks_; }
  /// And for collectives.
  void setMeshMarks(const QList<NodeMark> &marks);
  const QList<NodeMark> &meshMarks() const { return meshMarks_; }
  /// More about a node for its tooltip, as rich text under its title; may return an empty string.
  void setToolTipProvider(std::function<QString(NodeId)> provider);

  bool isMinimapVisible() const;
  double zoom() const { return camera_.scale(); } ///< 1: 100 %
  /// Where the view looks: the point of the scene in its middle and in its upper left corner.
  QPointF center() const { return camera_.center(); }
  QPointF corner() const { return camera_.toScene({0, 0}, canvas_); }
  /// Looks there, at once; of a place that is not in the scene, as near to it as there is something to see.
  void lookAt(QPointF center, double scale);
  /// The same by the corner, which stays where it is when something comes to stand beside the graph.
  void lookFrom(QPointF corner, double scale) {
    lookAt(corner + QPointF(canvas_.width(), canvas_.height()) / 2 / scale, scale);
  }
  /// The part of the scene that is on screen.
  QRectF sight() const;
  /// The part of the widget that shows the graph; legend and minimap stand beside it.
  QRectF canvasRect() const { return QRectF(QPointF(), canvas_); }
  /// Animations off: every change is immediate. For tests, and where the desktop asks for it.
  void setAnimated(bool animated) { animated_ = animated; }
  bool isGliding() const;
  /// Whether a box was opened by zooming into it, and closes when the user zooms out.
  bool isOpenedByZoom(NodeId id) const { return openedByZoom_.contains(id); }

  /// The node or cluster under a point of the widget, or noNode.
  NodeId nodeAt(QPointF position) const;
  NodeId clusterAt(QPointF position) const;
  /// Whether an op, which is no collapsed box, reads weights that are drawn as its ports.
  bool hasPorts(NodeId id) const;
  /// Where a node or cluster is drawn, in widget coordinates; null if there is none.
  QRectF rectOf(NodeId id) const;

  /// Paints the whole scene with all details into `target`, on any device (printer, SVG, image).
  void paintScene(QPainter &painter, const QRectF &target) const;
  /// The size of the picture that paintSight() makes: what is in sight of the graph, and the legend below it.
  QSizeF sightSize() const;
  /// Paints what is in sight as it is on the screen; with `print`, with all details and as lines instead of pixels.
  void paintSight(QPainter &painter, bool print) const;

  QSize sizeHint() const override { return {900, 640}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

public slots:
  void fit();
  void fitSelection();
  /// What is selected, with all that it reads and all that reads it.
  void fitNeighbours();
  void zoomIn();
  void zoomOut();
  void zoomTo(double scale);
  /// Moves the camera to a node or cluster, unless it is well in sight and `always` is false.
  void reveal(NodeId id, bool always = true);
  /// Moves the camera so that a node or cluster fills the view, as far as its words stay of a sensible size.
  void fitTo(NodeId id);
  void nextMatch();
  void previousMatch();
  void setTrace(fuselage::Trace trace);
  void setMinimapVisible(bool visible);

signals:
  /// By the user's hand. `current` is the node that details are shown of, or noNode.
  void selectionChanged(qint64 current, const QList<qint64> &selected);
  /// Double click or Return on a node that is no cluster.
  void nodeActivated(qint64 id);
  /// Please collapse or expand: double click, chevron or Space on a cluster, or zooming into it and out of it.
  void clusterToggled(qint64 id, bool collapse);
  void nodeHovered(qint64 id);
  /// Fill and open a menu; `id` is a node, a cluster or noNode.
  void contextMenuRequested(qint64 id, const QPoint &globalPosition);
  /// By the user's hand; -1: the selection is gone, or nodes are selected instead.
  void edgeSelected(int edge);
  void edgeMenuRequested(int edge, const QPoint &globalPosition);
  void currentMatchChanged(int index, int count);
  void traceChanged(fuselage::Trace trace);
  void zoomChanged(double scale);
  void minimapVisibleChanged(bool visible);

protected:
  bool event(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void showEvent(QShowEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  enum class Drag { None, Pan, Area };
  void select(NodeId id, bool toggle);
  void selectByUser(const QList<NodeId> &ids, NodeId current);
  void announce();
  bool mayMove() const;
  void beginGlide(const PreparedScene &old, const GraphPaintState &before, const QHash<NodeId, NodeId> &ancestors);
  bool findOrigins(const PreparedScene &old, const GraphPaintState &before, const QHash<NodeId, NodeId> &ancestors,
                   const QRectF &seen);
  void toggleCluster(NodeId id);
  void walk(int key);
  bool beginWalk(int key);
  void pan(QPointF pixels);
  void zoomAt(QPointF position, double factor);
  void zoomByKey(double factor);
  void changeLevel(QPointF position, double scale, bool isIn);
  void openByZoom(NodeId id, QPointF position);
  void closeByZoom(QPointF position);
  bool isChangingLevel(const PreparedScene &old) const;
  Camera levelCamera(const PreparedScene &old) const;
  void followLevels(const QHash<NodeId, NodeId> &ancestors);
  void flyTo(const Camera &target);
  void cameraMoved();
  void tick();
  void startTicking();
  void setHovered(QPointF position);
  void selectEdgeByUser(int edge);
  QString describeEdge(int edge) const;
  void updateTrace();
  void showMatches(std::vector<bool> flags, const QList<NodeId> &ids);
  void goToMatch(int index);
  Camera startCamera() const;
  Camera toggleCamera(const PreparedScene &old) const;
  QPointF chevronOf(const PreparedScene &scene, NodeId id) const;
  void arrange();
  bool needsMinimap(const QSizeF &room) const;
  QString toolTipAt(QPointF position) const;
  bool gestureEvent(QEvent *event);
  bool keyCommand(QKeyEvent *event);
  void paintOverlays(QPainter &painter);
  void paintBadges(QPainter &painter) const;
  void paintEmpty(QPainter &painter);
  PaintQuality quality() const;
  NodeId itemAt(QPointF position) const;
  NodeId neighbour(int key) const;
  void updateMinimap();

  std::shared_ptr<const PreparedScene> scene_;
  std::unique_ptr<GraphPainter> painter_;
  std::unique_ptr<GraphPaintState> state_;
  Minimap *minimap_ = nullptr;
  QList<LegendItem> legend_;
  QSizeF canvas_; ///< of the graph: the widget without legend and minimap
  Camera camera_, flightFrom_, flightTo_;
  QTimer ticker_, restTimer_, flashTimer_;
  QElapsedTimer flight_, transition_;
  bool moving_ = false;
  double restMilliseconds_[3] = {-1, -1, -1}; ///< of the last careful frame, by level of detail
  /// A box that zooming opens or closes: what is under the pointer stays there when the other picture comes.
  struct LevelChange {
    NodeId id = noNode; ///< noNode: none
    QPointF position;
    QElapsedTimer since;
  };
  LevelChange levelChange_;
  LevelChange toggle_;         ///< the same by hand: its chevron stays where it is on the screen
  NodeId fitsOpened_ = noNode; ///< a box that a double click opens: it is fitted when its content comes
  QSet<NodeId> openedByZoom_;
  bool flying_ = false, fitted_ = true, animated_ = true, minimapWanted_ = true;
  NodeId current_ = noNode;
  Trace trace_ = Trace::None;
  QList<NodeId> matches_; ///< in the scene
  QList<NodeMark> nodeMarks_, remarkMarks_, meshMarks_;
  int currentMatch_ = -1;
  Drag drag_ = Drag::None;
  QPointF pressed_, lastMouse_;
  bool pressedInside_ = false, moved_ = false;
  std::function<QString(NodeId)> toolTips_;
  std::function<QString(int)> edgeToolTips_, edgeNotes_;
  QString emptyTitle_, emptyHint_, busy_;
};

} // namespace fuselage
