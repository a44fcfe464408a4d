// Paints a prepared scene on any QPainter: window, image, SVG, PDF, printer.
#pragma once
#include "views/common/Marks.h"
#include "views/graph/BlockRaster.h"
#include "views/graph/Camera.h"
#include "views/graph/PreparedScene.h"
#include <QPainter>
#include <QStaticText>
#include <algorithm>
#include <functional>

namespace fuselage {

class LabelSpace;

/// What is special about some nodes at the moment.
struct GraphPaintState {
  QSet<NodeId> selected, noted;
  NodeFlags matches, traced; ///< of large parts of the scene, often; clusters are none of them
  NodeId current = noNode, hovered = noNode, currentMatch = noNode;
  int hoveredEdge = -1, hoveredCluster = -1;
  int currentEdge = -1;
  bool tracing = false, focused = false;
  bool flashing = false;                ///< what did not change is dim
  QList<EdgeMark> marks;                ///< by edge; empty: none
  FusionCounts counts;                  ///< of the legend
  QHash<NodeId, EdgeMark> missedInside; ///< by collapsed box: values in it that are not fused
  QHash<NodeId, Change> changes;
  HeatData heat;
  double heatLow = 0, heatHigh = 1;
  /// Where nodes and clusters glide from, by id; `progress` 1: they have arrived.
  QHash<NodeId, QRectF> from;
  double progress = 1;

  /// Without what follows the pointer, and with everything in its place.
  GraphPaintState atRest() const;
  /// The range of heat over a scene's nodes.
  void measureHeat(const SceneData &scene);
  /// 0 to 1, or -1 without a value.
  double heatOf(const NodeData &node) const;
  EdgeMark markOf(int edge) const { return edge < marks.size() ? marks[edge] : EdgeMark(); }
};

enum class PaintQuality {
  Moving, ///< as fast as it gets
  Rest,   ///< antialiased
  Print   ///< antialiased, all details at every scale
};

/// Three levels of detail: parts of the model, dispatches, ops. Words are as large on the screen as people need to read
/// them, whatever the scale: those of a level that would be smaller are cut to the box, those of the levels below are
/// left out. Only touches what is in sight. Text layouts are made when first seen, and kept.
class GraphPainter {
public:
  static constexpr double boxScale = 0.14, detailScale = 0.55;
  /// px on the screen that words have at least.
  static constexpr int leastText = 11;
  /// Edges that a frame strokes as curves, and looks for places of labels for. More than these would cover each other:
  /// they are straight lines, no more than `mostLines`, without labels.
  static constexpr int mostCurves = 1500, mostLines = 8000;

  explicit GraphPainter(const PreparedScene &scene);
  void setTheme(const Theme &theme);
  const Theme &theme() const { return *theme_; }
  /// By node, the number that colours a collapsed box, as text: it comes before the rest of the second line.
  void setBoxNumbers(const QHash<NodeId, QString> &numbers);
  const QHash<NodeId, QString> &boxNumbers() const { return boxNumbers_; }

  /// Fills `viewport` px from the painter's origin on.
  void paint(QPainter &painter, const Camera &camera, QSizeF viewport, const GraphPaintState &state,
             PaintQuality quality);
  /// Items painted by the last call, for measurements.
  int painted() const { return painted_; }
  /// Of these, edges that were stroked as curves.
  int curves() const { return curves_; }
  /// Where the last call put labels of edges, in scene px, and what it did to find their places: cells of a LabelSpace.
  struct Labels {
    QList<QRectF> boxes;
    size_t work = 0;
  };
  const Labels &labels() const { return labels_; }

  /// The square of a cluster's chevron, in scene px, and of a node that stands for a closed one.
  static QRectF chevronRect(const ClusterData &cluster);
  static QRectF chevronRect(const NodeData &node);

private:
  struct NodeText {
    QStaticText head, tail, sub, badge;
    double headWidth = 0, badgeWidth = 0;
    bool twoLines = false, regular = false; ///< regular: the title is too wide in bold
  };
  struct ClusterText {
    QStaticText text;
    int room = -1; ///< px it was cut to
  };
  struct Frame {
    QPainter &painter;
    const Camera &camera;
    QSizeF viewport;
    QRectF visible; ///< scene px
    const GraphPaintState &state;
    PaintQuality quality;
    double scale;
    double ratio; ///< pixels of the device a px
    /// A line of so many px, whatever the scale: pens that ignore it count the pixels of the device.
    QPen pen(const QColor &color, double width, Qt::PenStyle style = Qt::SolidLine) const {
      return sized(QPen(color, width, style));
    }
    /// Lines and their heads grow less than the boxes, and stay in proportion to each other.
    double grown() const { return quality == PaintQuality::Print ? 1 : std::clamp(scale, 0.7, 1.8); }
    /// The side of a LabelSpace's cell, in scene px: 4 px on the screen.
    double cell() const { return 4 / (quality == PaintQuality::Print ? 1 : scale); }
    QPen sized(QPen pen) const {
      if (quality != PaintQuality::Print) {
        pen.setCosmetic(true);
        pen.setWidthF(pen.widthF() * ratio);
      }
      return pen;
    }
  };
  struct NodeColors {
    QColor fill, border, text, muted, accent;
    Qt::PenStyle style = Qt::SolidLine;
  };

  QColor clusterFill(const GraphPaintState &state, const ClusterData &cluster) const;
  void paintDots(Frame &frame) const;
  void paintClusters(Frame &frame);
  void paintClusterLabels(Frame &frame);
  void paintClusterLabel(Frame &frame, const ClusterData &cluster, int index, const QRectF &rect, QList<QRectF> &taken);
  void paintNodeNames(Frame &frame, QList<QRectF> &taken);
  bool hasName(const NodeData &node) const;
  void setTextScale(const Frame &frame);
  void paintBlocks(Frame &frame);
  void addBlockLines(Frame &frame, double scale, QPointF origin);
  std::function<QRgb(int)> blockColors(const GraphPaintState &state) const;
  void paintBoxes(Frame &frame);
  void paintDetails(Frame &frame);

  void paintNode(Frame &frame, int index);
  void paintPorts(Frame &frame, const NodeData &node, const QRectF &rect, const NodeColors &colors);
  void paintNodeText(Frame &frame, int index, const QRectF &rect, const NodeColors &colors);
  void paintNodeRings(Frame &frame, int index, const QRectF &rect, double radius);
  void paintChangeBadge(Frame &frame, const QRectF &rect, Change change);
  /// Nothing but kind and dispatch decides how nodes look.
  static bool isPlain(const GraphPaintState &state);
  const NodeColors &plainColorsOf(int index);
  NodeColors colorsOf(const GraphPaintState &state, int index) const;
  const NodeText &textOf(int index);

  void paintEdge(Frame &frame, int index);
  void paintLines(Frame &frame, const QList<int> &edges);
  QList<int> takeCurves(Frame &frame, QList<int> edges, qsizetype most);
  /// What is in sight of an edge, for a label on it.
  QPainterPath pathInSight(const Frame &frame, int index) const;
  void paintEdgeLabel(Frame &frame, int index, LabelSpace &space);
  void paintMissedBadge(Frame &frame, int index, LabelSpace &space);
  void paintMissedInside(Frame &frame, int index, LabelSpace &space);
  /// A number in a pill around `middle`.
  void paintCount(QPainter &painter, QPointF middle, int count, const QColor &color) const;
  double countWidth(int count) const;
  QPolygonF headOf(const Frame &frame, int index) const;
  QColor edgeColor(const GraphPaintState &state, int index) const;
  /// Of a dispatch, the colour that it keeps.
  QColor accentOf(int dispatch) const { return theme_->dispatch(scene_.data().hueOf(dispatch)); }
  double edgeWidth(const EdgeData &edge) const;
  bool isStrong(const GraphPaintState &state, int index) const;

  /// In an area, or on the way through it; sorted.
  QList<int> nodesInSight(const GraphPaintState &state, const QRectF &area) const;
  QRectF placed(const GraphPaintState &state, NodeId id, const QRectF &rect) const;

  const PreparedScene &scene_;
  const Theme *theme_;
  BlockRaster raster_;
  QHash<int, NodeText> nodeTexts_;
  QHash<NodeId, QString> boxNumbers_;
  QHash<int, NodeColors> plainColors_;
  std::vector<unsigned char> hues_; ///< of the nodes: 0 for none, else 1 + hue % hueCount
  QList<int> parts_;                ///< nodes that are parts of the model, which have names at all scales
  double widest_ = 0;               ///< of the nodes, in scene px
  QHash<int, QStaticText> edgeTexts_;
  QHash<int, ClusterText> clusterTexts_;
  QFont titleFont_, tailFont_, subFont_, clusterFont_, edgeFont_;
  QSet<int> boxedDispatches_; ///< that are clusters: their ops go without names where those are small
  double textScale_ = 1;      ///< by how much words are larger than the scale makes them
  int painted_ = 0, curves_ = 0;
  Labels labels_;
};

/// On the way from one place to another.
QRectF between(const QRectF &from, const QRectF &to, double progress);

} // namespace fuselage
