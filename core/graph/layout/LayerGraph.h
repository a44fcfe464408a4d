// One level of the layered layout: boxes and edges without nesting. Internal to core/graph.
#pragma once
#include "core/graph/layout/LayoutGraph.h"
#include <cmath>
#include <cstdint>

namespace fuselage {

/// A box on a level: a node, a whole cluster, or a port on the border of the cluster around it.
struct LayerItem {
  enum class Role : uint8_t { Box, Pulled, InPort, OutPort };
  double w = 0, h = 0;
  Role role = Role::Box;
  double hint = NAN; ///< x in the picture before; NaN: none
};

/// Edges of one `value` stand next to each other in the list and share their dummies. Offsets are
/// relative to the item's middle; NaN: anywhere on the border.
struct LayerEdge {
  int from = 0, to = 0;
  int value = 0;
  double fromOffset = NAN, toOffset = NAN;
};

/// Items are in program order: where edges form a cycle, the earlier item comes first.
struct LayerGraph {
  std::vector<LayerItem> items;
  std::vector<LayerEdge> edges;
};

/// Lists of numbers by row, in one array.
template <typename T> struct Rows {
  std::vector<int> start;
  std::vector<T> data;
  int size(int row) const { return start[row + 1] - start[row]; }
  T *begin(int row) { return data.data() + start[row]; }
  T *end(int row) { return data.data() + start[row + 1]; }
};

/// Lays out one level, phase by phase; reusable, so that many small levels cost no allocations.
/// The results (`rect`, `route`, `width`, `height`) are valid until the next run; in-ports lie at
/// y = 0, out-ports at y = height.
class LayerLayout {
public:
  /// False if cancelled.
  bool run(const LayerGraph &graph, const std::atomic<bool> *cancelled);

  std::vector<LayoutRect> rect;                ///< by item
  std::vector<std::vector<LayoutPoint>> route; ///< by edge
  double width = 0, height = 0;

private:
  /// An edge of the layered graph between neighbouring layers.
  struct Segment {
    int from, to;
    double fromOffset, toOffset;
    bool freeFrom, freeTo;
  };
  /// A segment seen from one end: the other end, and what to add to its x to be in line with it.
  struct Half {
    int other;
    float delta;
    float weight;
    int segment;
    float shift; ///< how far right of the middle of `other` it is, in widths of that
  };
  /// A neighbour that an item wants to be in line with, by its place in the order of all layers.
  struct Pull {
    int place;
    float delta, weight;
  };
  /// An item in the order of all layers.
  struct Placed {
    double offset; ///< from the first of its layer, as close as they may stand
    double anchor; ///< a fixed x, or NaN
    int up, down;  ///< its first pulls from above and from below
  };

  bool isDummy(int item) const { return item >= itemCount_; }
  bool isPort(int item) const { return item < itemCount_ && graph_->items[item].role >= LayerItem::Role::InPort; }
  bool thin(int item) const { return isDummy(item) || isPort(item); }
  bool stop() const { return cancelled_ && cancelled_->load(std::memory_order_relaxed); }

  void assignRanks();
  void breakCycles();
  void pullDown();
  void compactRanks();
  void chooseChannels();
  void insertDummies();
  void addSegment(int from, int to, double fromOffset, double toOffset);
  void indexSegments();
  void measureWaysDown();
  void findSpines();
  void anchorLongestPath(const std::vector<int> &chosen);
  bool isFeeder(const Segment &segment);
  float weightOf(size_t segment);

  void initialOrder();
  bool reduceCrossings();
  void sortLayer(int layer, Rows<Half> &neighbours);
  void keepHintedOrder(int layer);
  bool swapNeighbours();
  int64_t countCrossings();
  void renumber();

  double distance(int left, int right) const;
  void assignX();
  void gatherPulls();
  void placeLayer(int layer, double fromAbove, double fromBelow);
  void straighten();
  void straightenChains();
  void assignY();
  void placePorts();
  void routeEdges();
  void routeChannels();

  const LayerGraph *graph_ = nullptr;
  const std::atomic<bool> *cancelled_ = nullptr;
  int itemCount_ = 0, totalCount_ = 0, layerCount_ = 0;
  bool hasHints_ = false, hasInPorts_ = false;
  std::vector<int> rank_, topological_, place_, wayDown_;
  std::vector<double> itemWidth_, x_;
  std::vector<char> channel_;               // by edge: takes a side channel
  std::vector<int> chain_, lastSegment_;    // by edge: first dummy or -1; the segment at the target
  std::vector<std::pair<int, int>> chains_; // first dummy, count
  std::vector<Segment> segments_;
  std::vector<char> spine_;    // by segment
  std::vector<double> anchor_; // by item or dummy: a fixed x, or NaN
  std::vector<double> segmentFromX_, segmentToX_, channelToX_;
  Rows<Half> up_, down_;
  Rows<int> layers_;
  std::vector<int> pos_, best_;
  std::vector<double> layerTop_, layerHeight_;
  // scratch
  std::vector<int> count_, queue_, sequence_, tree_;
  std::vector<std::pair<float, int>> keys_;
  std::vector<Placed> placed_; // and one after the last
  std::vector<double> placedX_;
  std::vector<Pull> pulls_;
  struct Block {
    double x, weight;
    int count;
  };
  std::vector<Block> blocks_;
};

} // namespace fuselage
