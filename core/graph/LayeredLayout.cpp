#include "core/graph/LayeredLayout.h"
#include "core/graph/LayerGraph.h"
#include <algorithm>
#include <numeric>

namespace fuselage {
namespace {

constexpr double clusterPadding = 14, titleGap = 8, componentGap = 36, pageMargin = 16;
constexpr int mostNodesTwice = 20000; // a second round costs time
constexpr double pageAspect = 1.6; // width to height that packed components aim at

/// Where an edge crosses a cluster's border. One a cluster, value and direction.
struct Port {
  int cluster;
  int value;      // end id of the source
  bool in;
  int inner = -1; // the edge inside that starts or ends here (out-ports)
  int outer = -1; // the edge outside that ends here (in-ports)
  double x = 0;   // from the cluster's left border
  double hint = NAN;
};

/// A part of an edge that lies on one level. Ends are item ids, with the port where the item is a
/// cluster that the edge passes into.
struct Part {
  int level;
  int from, fromPort, to, toPort;
  int value;
};

/// Item ids: nodes, then clusters, then ports. Level 0 is the page, level c + 1 is inside cluster c.
class Hierarchy {
public:
  Hierarchy(const LayoutGraph &graph, const std::atomic<bool> *cancelled, LayoutResult &result)
      : graph_(graph), cancelled_(cancelled), result_(result), nodeCount_(graph.nodes.size()),
        clusterCount_(graph.clusters.size()), firstPort_(nodeCount_ + clusterCount_) {}
  bool run();

private:
  int parentOf(int end) const {
    return end < nodeCount_ ? graph_.nodes[end].cluster
                            : graph_.clusters[end - nodeCount_].parent;
  }
  void measureClusters();
  void splitEdges();
  void splitEdge(int edge);
  int addPort(int cluster, int value, bool in);
  int addPart(int cluster, int from, int fromPort, int to, int toPort, int value);
  void groupByLevel();
  bool layoutLevel(int level);
  LayerItem makeItem(int id) const;
  void findComponents(int level);
  void placeOrigins();
  void hintPorts();
  void joinEdges();

  const LayoutGraph &graph_;
  const std::atomic<bool> *cancelled_;
  LayoutResult &result_;
  int nodeCount_, clusterCount_, firstPort_;
  std::vector<int> depth_, firstNode_;
  std::vector<double> hint_;
  std::vector<Port> ports_;
  std::vector<Part> parts_;
  std::vector<int> outPort_, inPort_, directPart_; // of the value at hand, see splitEdges
  std::vector<int> edgeParts_, edgePartStart_;     // parts of an edge, in order
  std::vector<int> down_;
  Rows<int> items_, levelParts_;
  std::vector<LayoutRect> rect_; // by item id, within its level
  std::vector<std::vector<LayoutPoint>> partRoute_;
  std::vector<LayoutPoint> origin_; // by level
  std::vector<int> local_, component_, group_;
  LayerGraph levelGraph_;
  LayerLayout layerLayout_;
};

/// Depths, the first node inside (the order of boxes) and mean hints.
void Hierarchy::measureClusters() {
  depth_.assign(clusterCount_, 1);
  firstNode_.assign(clusterCount_, nodeCount_);
  std::vector<double> sum(clusterCount_, 0);
  std::vector<int> hinted(clusterCount_, 0);
  for (int c = 0; c < clusterCount_; ++c)
    if (graph_.clusters[c].parent >= 0)
      depth_[c] = depth_[graph_.clusters[c].parent] + 1;
  for (int node = nodeCount_; node-- > 0;) {
    int cluster = graph_.nodes[node].cluster;
    if (cluster < 0)
      continue;
    firstNode_[cluster] = node;
    if (graph_.nodes[node].hint) {
      sum[cluster] += graph_.nodes[node].hint->x;
      ++hinted[cluster];
    }
  }
  hint_.assign(clusterCount_, NAN);
  for (int c = clusterCount_; c-- > 0;) {
    if (hinted[c])
      hint_[c] = sum[c] / hinted[c];
    int parent = graph_.clusters[c].parent;
    if (parent < 0)
      continue;
    firstNode_[parent] = std::min(firstNode_[parent], firstNode_[c]);
    sum[parent] += sum[c];
    hinted[parent] += hinted[c];
  }
}

int Hierarchy::addPort(int cluster, int value, bool in) {
  ports_.push_back({.cluster = cluster, .value = value, .in = in});
  return static_cast<int>(ports_.size()) - 1;
}

int Hierarchy::addPart(int cluster, int from, int fromPort, int to, int toPort, int value) {
  parts_.push_back({cluster + 1, from, fromPort, to, toPort, value});
  return static_cast<int>(parts_.size()) - 1;
}

/// Cuts an edge at the borders it crosses: up from its source to the innermost common cluster,
/// across, and down to its target. Edges of one value share ports and parts.
void Hierarchy::splitEdge(int edge) {
  int value = graph_.edges[edge].from, target = graph_.edges[edge].to;
  int up = parentOf(value), into = parentOf(target);
  auto depth = [&](int cluster) { return cluster < 0 ? 0 : depth_[cluster]; };
  auto parent = [&](int cluster) { return graph_.clusters[cluster].parent; };
  int from = value, fromPort = -1;
  size_t first = edgeParts_.size();
  down_.clear();
  while (up != into) {
    bool climb = depth(up) >= depth(into), descend = depth(into) >= depth(up);
    if (climb) {
      if (outPort_[up] < 0 || ports_[outPort_[up]].value != value) {
        outPort_[up] = addPort(up, value, false);
        ports_[outPort_[up]].inner =
            addPart(up, from, fromPort, firstPort_ + outPort_[up], -1, value);
      }
      edgeParts_.push_back(ports_[outPort_[up]].inner);
      from = nodeCount_ + up;
      fromPort = outPort_[up];
      up = parent(up);
    }
    if (descend) {
      down_.push_back(into);
      into = parent(into);
    }
  }
  bool nested = (from >= nodeCount_ && from == target) ||
                (!down_.empty() && nodeCount_ + down_.back() == value);
  if (nested && value != target) { // an end that contains the other one has no way to it
    edgeParts_.resize(first);
    return;
  }
  int level = up;
  for (size_t i = down_.size(); i-- > 0;) {
    int cluster = down_[i];
    if (inPort_[cluster] < 0 || ports_[inPort_[cluster]].value != value) {
      inPort_[cluster] = addPort(cluster, value, true);
      ports_[inPort_[cluster]].outer =
          addPart(level, from, fromPort, nodeCount_ + cluster, inPort_[cluster], value);
    }
    edgeParts_.push_back(ports_[inPort_[cluster]].outer);
    from = firstPort_ + inPort_[cluster];
    fromPort = -1;
    level = cluster;
  }
  int &direct = directPart_[target];
  if (direct < 0 || parts_[direct].value != value)
    direct = addPart(level, from, fromPort, target, -1, value);
  edgeParts_.push_back(direct);
}

void Hierarchy::splitEdges() {
  int edgeCount = graph_.edges.size();
  std::vector<int> order(edgeCount), start(firstPort_ + 1, 0);
  for (const LayoutGraph::Edge &edge : graph_.edges)
    ++start[edge.from + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (int e = 0; e < edgeCount; ++e)
    order[start[graph_.edges[e].from]++] = e;
  outPort_.assign(clusterCount_, -1);
  inPort_.assign(clusterCount_, -1);
  directPart_.assign(firstPort_, -1);
  edgePartStart_.assign(2 * edgeCount, 0);
  parts_.reserve(edgeCount);
  edgeParts_.reserve(edgeCount);
  for (int edge : order) {
    edgePartStart_[2 * edge] = edgeParts_.size();
    splitEdge(edge);
    edgePartStart_[2 * edge + 1] = edgeParts_.size();
  }
}

/// Sorts items and parts into their levels; items in program order.
void Hierarchy::groupByLevel() {
  int itemCount = firstPort_ + ports_.size();
  auto levelOf = [&](int id) {
    return 1 + (id < firstPort_ ? parentOf(id) : ports_[id - firstPort_].cluster);
  };
  auto key = [&](int id) {
    if (id >= firstPort_)
      id = ports_[id - firstPort_].value;
    return id < nodeCount_ ? id : firstNode_[id - nodeCount_];
  };
  auto count = [&](Rows<int> &rows, int size, auto &&row) {
    rows.start.assign(clusterCount_ + 2, 0);
    rows.data.resize(size);
    for (int i = 0; i < size; ++i)
      ++rows.start[row(i) + 1];
    std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
    std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
    for (int i = 0; i < size; ++i)
      rows.data[next[row(i)]++] = i;
  };
  count(items_, itemCount, levelOf);
  count(levelParts_, parts_.size(), [&](int part) { return parts_[part].level; });
  for (int level = 0; level <= clusterCount_; ++level)
    std::stable_sort(items_.begin(level), items_.end(level),
                     [&](int a, int b) { return key(a) < key(b); });
  rect_.assign(itemCount, {});
  local_.assign(itemCount, 0);
  partRoute_.resize(parts_.size());
  origin_.assign(clusterCount_ + 1, {});
}

LayerItem Hierarchy::makeItem(int id) const {
  using Role = LayerItem::Role;
  if (id >= firstPort_)
    return {.w = 2,
            .h = 0,
            .role = ports_[id - firstPort_].in ? Role::InPort : Role::OutPort,
            .hint = ports_[id - firstPort_].hint};
  if (id >= nodeCount_)
    return {.w = rect_[id].w, .h = rect_[id].h, .hint = hint_[id - nodeCount_]};
  const LayoutGraph::Node &node = graph_.nodes[id];
  return {.w = node.w,
          .h = node.h,
          .role = node.pullToConsumer ? Role::Pulled : Role::Box,
          .hint = node.hint ? node.hint->x : NAN};
}

/// Numbers the connected components of a level by their first item; what touches the border is one.
void Hierarchy::findComponents(int level) {
  int size = items_.size(level), ports = -1;
  component_.resize(size);
  std::iota(component_.begin(), component_.end(), 0);
  auto find = [&](int item) {
    while (component_[item] != item)
      item = component_[item] = component_[component_[item]];
    return item;
  };
  auto join = [&](int a, int b) {
    a = find(a);
    b = find(b);
    component_[std::max(a, b)] = std::min(a, b);
  };
  for (int i = 0; i < size; ++i) {
    int id = items_.begin(level)[i];
    local_[id] = i;
    if (id < firstPort_)
      continue;
    if (ports >= 0)
      join(ports, i);
    ports = i;
  }
  for (int *part = levelParts_.begin(level); part != levelParts_.end(level); ++part)
    join(local_[parts_[*part].from], local_[parts_[*part].to]);
  for (int i = 0; i < size; ++i)
    component_[i] = find(i);
}

bool Hierarchy::layoutLevel(int level) {
  findComponents(level);
  int size = items_.size(level);
  const int *ids = items_.begin(level);
  // Items and parts by component, in order.
  std::vector<int> order(size), componentStart;
  {
    group_.assign(size + 1, 0);
    for (int i = 0; i < size; ++i)
      ++group_[component_[i] + 1];
    std::partial_sum(group_.begin(), group_.end(), group_.begin());
    for (int i = 0; i < size; ++i)
      if (component_[i] == i)
        componentStart.push_back(group_[i]);
    componentStart.push_back(size);
    for (int i = 0; i < size; ++i)
      order[group_[component_[i]]++] = i;
  }
  std::vector<int> parts(levelParts_.begin(level), levelParts_.end(level));
  if (componentStart.size() > 2)
    std::stable_sort(parts.begin(), parts.end(), [&](int a, int b) {
      return component_[local_[parts_[a].from]] < component_[local_[parts_[b].from]];
    });

  struct Placed {
    int firstItem, lastItem;
    size_t firstPart, lastPart;
    double w, h, x = 0, y = 0;
    bool ports;
  };
  std::vector<Placed> placed;
  std::vector<int> within(size);
  size_t nextPart = 0;
  for (size_t c = 0; c + 1 < componentStart.size(); ++c) {
    Placed box{componentStart[c], componentStart[c + 1], nextPart, nextPart, 0, 0, 0, 0, false};
    levelGraph_.items.clear();
    levelGraph_.edges.clear();
    for (int k = box.firstItem; k < box.lastItem; ++k) {
      within[order[k]] = k - box.firstItem;
      levelGraph_.items.push_back(makeItem(ids[order[k]]));
      box.ports |= ids[order[k]] >= firstPort_;
    }
    int component = component_[order[box.firstItem]];
    auto offset = [&](int port, int item) {
      return port < 0 ? (item >= firstPort_ ? 0.0 : NAN) : ports_[port].x - rect_[item].w / 2;
    };
    for (; nextPart < parts.size(); ++nextPart) {
      const Part &part = parts_[parts[nextPart]];
      if (component_[local_[part.from]] != component)
        break;
      levelGraph_.edges.push_back({.from = within[local_[part.from]],
                                   .to = within[local_[part.to]],
                                   .value = part.value,
                                   .fromOffset = offset(part.fromPort, part.from),
                                   .toOffset = offset(part.toPort, part.to)});
    }
    box.lastPart = nextPart;
    if (!layerLayout_.run(levelGraph_, cancelled_))
      return false;
    box.w = layerLayout_.width;
    box.h = layerLayout_.height;
    for (int k = box.firstItem; k < box.lastItem; ++k)
      rect_[ids[order[k]]] = layerLayout_.rect[k - box.firstItem];
    for (size_t p = box.firstPart; p < box.lastPart; ++p)
      partRoute_[parts[p]] = layerLayout_.route[p - box.firstPart];
    placed.push_back(box);
  }

  // Rows of components; what touches the border stands left of all others, as high as the level.
  double gap = level == 0 ? componentGap + 12 : componentGap, area = 0, widest = 0;
  for (const Placed &box : placed)
    if (!box.ports) {
      area += (box.w + gap) * (box.h + gap);
      widest = std::max(widest, box.w);
    }
  double rowWidth = std::max(widest, std::sqrt(area * pageAspect));
  double left = 0, width = 0, height = 0;
  for (Placed &box : placed)
    if (box.ports) {
      left = placed.size() > 1 ? box.w + gap : box.w;
      width = box.w;
      height = box.h;
    }
  double x = left, y = 0, rowHeight = 0;
  for (Placed &box : placed) {
    if (box.ports)
      continue;
    if (x > left && x + box.w > left + rowWidth) {
      x = left;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    box.x = x;
    box.y = y;
    x += box.w + gap;
    rowHeight = std::max(rowHeight, box.h);
    width = std::max(width, box.x + box.w);
    height = std::max(height, box.y + box.h);
  }

  double padX = pageMargin, padTop = pageMargin, padBottom = pageMargin;
  double fullWidth = width + 2 * padX;
  if (level > 0) {
    const LayoutGraph::Cluster &cluster = graph_.clusters[level - 1];
    padTop = cluster.titleHeight + titleGap;
    padBottom = clusterPadding;
    fullWidth = std::max(width, cluster.titleWidth) + 2 * clusterPadding;
    padX = (fullWidth - width) / 2;
  }
  double fullHeight = padTop + height + padBottom;
  for (const Placed &box : placed) {
    for (int k = box.firstItem; k < box.lastItem; ++k) {
      int id = ids[order[k]];
      rect_[id].x += box.x + padX;
      rect_[id].y += box.y + padTop;
      if (id >= firstPort_)
        ports_[id - firstPort_].x = rect_[id].x + rect_[id].w / 2;
    }
    for (size_t p = box.firstPart; p < box.lastPart; ++p) {
      auto &points = partRoute_[parts[p]];
      for (LayoutPoint &point : points) {
        point.x += box.x + padX;
        point.y += box.y + padTop;
      }
      // Ports lie on the border.
      if (parts_[parts[p]].from >= firstPort_)
        points.front().y = 0;
      if (parts_[parts[p]].to >= firstPort_)
        points.push_back({points.back().x, fullHeight});
    }
  }
  LayoutRect full{0, 0, fullWidth, fullHeight};
  if (level > 0)
    rect_[nodeCount_ + level - 1] = full;
  else
    result_.bounds = full;
  return true;
}

/// From places within levels to places on the page.
void Hierarchy::placeOrigins() {
  auto place = [&](int id) {
    LayoutRect rect = rect_[id];
    const LayoutPoint &origin = origin_[parentOf(id) + 1];
    rect.x += origin.x;
    rect.y += origin.y;
    return rect;
  };
  result_.clusters.resize(clusterCount_);
  for (int c = 0; c < clusterCount_; ++c) {
    result_.clusters[c] = place(nodeCount_ + c);
    origin_[c + 1] = {result_.clusters[c].x, result_.clusters[c].y};
  }
  result_.nodes.resize(nodeCount_);
  for (int node = 0; node < nodeCount_; ++node)
    result_.nodes[node] = place(node);
}

void Hierarchy::joinEdges() {
  result_.edges.resize(graph_.edges.size());
  std::vector<LayoutPoint> joined;
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    joined.clear();
    for (int i = edgePartStart_[2 * e]; i < edgePartStart_[2 * e + 1]; ++i) {
      const LayoutPoint &origin = origin_[parts_[edgeParts_[i]].level];
      for (const LayoutPoint &point : partRoute_[edgeParts_[i]])
        joined.push_back({point.x + origin.x, point.y + origin.y});
    }
    simplifyPolyline(joined);
    result_.edges[e] = joined;
  }
}

/// Orders the ports of each border by where their values come from in the picture so far.
void Hierarchy::hintPorts() {
  for (Port &port : ports_) {
    const LayoutRect &source = port.value < nodeCount_
                                   ? result_.nodes[port.value]
                                   : result_.clusters[port.value - nodeCount_];
    if (port.in)
      port.hint = source.x + source.w / 2;
  }
}

bool Hierarchy::run() {
  measureClusters();
  splitEdges();
  groupByLevel();
  // Inside a box nobody knows yet where its inputs will come from; a second round does.
  bool again = !ports_.empty() && nodeCount_ <= mostNodesTwice;
  for (int round = 0; round < (again ? 2 : 1); ++round) {
    for (int level = clusterCount_; level >= 0; --level)
      if (!layoutLevel(level) || (cancelled_ && cancelled_->load()))
        return false;
    placeOrigins();
    hintPorts();
  }
  joinEdges();
  return true;
}

} // namespace

void simplifyPolyline(std::vector<LayoutPoint> &points) {
  size_t kept = 0;
  for (const LayoutPoint &point : points) {
    if (kept > 0 && std::abs(points[kept - 1].x - point.x) < 0.01 &&
        std::abs(points[kept - 1].y - point.y) < 0.01)
      continue;
    if (kept > 1) {
      const LayoutPoint &a = points[kept - 2], &b = points[kept - 1];
      double cross = (b.x - a.x) * (point.y - b.y) - (b.y - a.y) * (point.x - b.x);
      double along = (b.x - a.x) * (point.x - b.x) + (b.y - a.y) * (point.y - b.y);
      double length = std::hypot(point.x - a.x, point.y - a.y);
      if (along > 0 && std::abs(cross) < 0.01 * length)
        --kept;
    }
    points[kept++] = point;
  }
  points.resize(kept);
}

std::string checkLayoutGraph(const LayoutGraph &graph) {
  int nodes = graph.nodes.size(), clusters = graph.clusters.size();
  for (int c = 0; c < clusters; ++c)
    if (graph.clusters[c].parent < -1 || graph.clusters[c].parent >= c)
      return "cluster " + std::to_string(c) + " does not come after its parent";
  for (int n = 0; n < nodes; ++n) {
    const LayoutGraph::Node &node = graph.nodes[n];
    if (node.cluster < -1 || node.cluster >= clusters)
      return "node " + std::to_string(n) + " is in a cluster that does not exist";
    if (!(node.w >= 0 && node.h >= 0 && std::isfinite(node.w) && std::isfinite(node.h)))
      return "node " + std::to_string(n) + " has no usable size";
  }
  for (const LayoutGraph::Edge &edge : graph.edges)
    if (edge.from < 0 || edge.to < 0 || edge.from >= nodes + clusters ||
        edge.to >= nodes + clusters)
      return "an edge ends at something that does not exist";
  return "";
}

bool layeredLayout(const LayoutGraph &graph, const std::atomic<bool> *cancelled,
                   LayoutResult &result) {
  return Hierarchy(graph, cancelled, result).run();
}

} // namespace fuselage
