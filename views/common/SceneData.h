// What the graph view draws: a snapshot of the engine's answer to graph/scene, as Qt values.
#pragma once
#include <QHash>
#include <QList>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <iterator>

namespace fuselage {

/// An op in its snapshot, as the engine numbers them; block arguments have negative ids.
using NodeId = qint64;

/// Never the id of a node.
constexpr NodeId noNode = std::numeric_limits<NodeId>::min();

/// A node or a collapsed cluster. Lengths in px at 100 %, y grows downwards.
struct NodeData {
  enum class Kind { Compute, Constant, Empty, Reshape, Slice, Call, Argument, Return, Control, Dispatch, Gap, Other };
  NodeId id = 0;
  QString title;    ///< "matmul 128x768x768"
  QString subtitle; ///< result type
  Kind kind = Kind::Other;
  int dispatch = -1;      ///< picks the accent colour; -1: none
  bool collapsed = false; ///< stands for a collapsed cluster
  int hidden = 0;         ///< nodes inside a collapsed cluster
  int count = 0;          ///< equal instances that it stands for; 0: it is no repeat
  QRectF rect;
  QStringList ports{}; ///< weights and constants that it reads, the first ones: "fc.weight · 64x64xf32"
  int portCount = 0;   ///< of all

  /// The kind by its name in the protocol ("compute", "constant", ...), in any case; else Other.
  static Kind kindFromName(QStringView name);
};

/// A use of a value: operand number `operand` of an op.
struct EdgeUse {
  NodeId from = 0, to = 0;
  int operand = 0;
  bool operator==(const EdgeUse &) const = default;
};
size_t qHash(const EdgeUse &use, size_t seed = 0);

/// A tensor that flows from a node to a node.
struct EdgeData {
  NodeId from = 0, to = 0;
  QString label;         ///< "128x768xf32 · 384 KiB"
  qint64 bytes = -1;     ///< -1: unknown (dynamic)
  QPolygonF points;      ///< through bend points, from box to box; at least two
  QRectF labelRect;      ///< where the label covers nothing; null: the view looks for a place
  QList<EdgeUse> uses{}; ///< the edges between ops that it stands for
};

/// An op with regions, drawn around the nodes inside it.
struct ClusterData {
  /// Repeat: around equal groups; Instance: one of them; Others: all but the first. Scope: a part of
  /// the model.
  enum class Kind { Function, Dispatch, Region, Repeat, Instance, Others, Scope };
  NodeId id = 0;
  QString label;
  Kind kind = Kind::Region;
  int dispatch = -1;
  int depth = 0;
  QRectF rect;

  /// By the name in the protocol ("function", "dispatch", "repeat", ...), in any case; else Region.
  static Kind kindFromName(QStringView name);
};

struct SceneData {
  QList<NodeData> nodes;
  QList<EdgeData> edges;
  QList<ClusterData> clusters; ///< outer before inner
  QRectF bounds;
  NodeId entry = noNode;           ///< the box of the function in which the program begins
  QHash<NodeId, NodeId> hiddenOps; ///< op in a collapsed cluster, or weight -> the node that stands for it
  QStringList dispatchLocs;        ///< by dispatch number: where its root op comes from
  QList<int> dispatchHues;         ///< by dispatch number: which colour it keeps in every snapshot; empty: its number
  int snapshot = -1;               ///< two scenes of the same snapshot name the same ops by the same ids

  /// The colour of a dispatch; -1 for none.
  int hueOf(int dispatch) const { return dispatchHues.value(dispatch, dispatch); }
};

/// What a step did to a node.
enum class Change { Same, Added, Removed, Changed };

/// Whether the values of an edge are fused: message::FusionState, of several values the most hopeful one.
enum class FusionMark : char {
  None,       ///< nothing was said of it
  Fused,      ///< all of them
  Possible,   ///< some are not, and can be: a transform was tried that fuses them
  Tried,      ///< some are not, and transforms were tried without success
  NotTried,   ///< some are not, and no transform was tried
  Impossible, ///< some are not, and cannot be fused
};
inline constexpr FusionMark fusionMarks[] = {FusionMark::None,  FusionMark::Fused,    FusionMark::Possible,
                                             FusionMark::Tried, FusionMark::NotTried, FusionMark::Impossible};
/// The more of them, the more there is to look at; of a line that stands for several values, the highest counts.
int hopeOf(FusionMark mark);
struct EdgeMark {
  FusionMark mark = FusionMark::None;
  int missed = 0; ///< values that are not fused
};
/// Values by their verdict: those that are not fused, over the whole snapshot; fused ones, where a line or a collapsed
/// box stands for them.
struct FusionCounts {
  qint64 of[std::size(fusionMarks)] = {}; ///< by FusionMark
};

/// Colours nodes by a number, e.g. microseconds. A node's own value wins over its dispatch's.
struct HeatData {
  QString title;                     ///< "median time"
  QString (*text)(double) = nullptr; ///< a value with its unit
  QHash<NodeId, double> nodes;
  QHash<int, double> dispatches;
  bool isEmpty() const { return nodes.isEmpty() && dispatches.isEmpty(); }
};

/// "12.7 ms", or the number alone.
QString heatText(const HeatData &heat, double value);

} // namespace fuselage
