// Layered layout, first phase: layers, and dummies where edges cross layers.
#include "core/graph/layout/LayerGraph.h"
#include <algorithm>
#include <numeric>

namespace fuselage {

using Role = LayerItem::Role;

static constexpr double farAside = 400; // px
static constexpr int manyItems = 10000; // on a level of a large module

/// Orders the items topologically; where only cycles are left, the earliest item goes first. Edges
/// against that order take a channel.
void LayerLayout::breakCycles() {
  const auto &edges = graph_->edges;
  Rows<int> &out = layers_; // rebuilt later
  out.start.assign(itemCount_ + 1, 0);
  out.data.resize(edges.size());
  count_.assign(itemCount_, 0);
  for (const LayerEdge &edge : edges) {
    ++out.start[edge.from + 1];
    ++count_[edge.to];
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  sequence_.assign(out.start.begin(), out.start.end() - 1);
  for (const LayerEdge &edge : edges)
    out.data[sequence_[edge.from]++] = edge.to;

  topological_.clear();
  place_.assign(itemCount_, -1);
  for (int item = 0; item < itemCount_; ++item)
    if (count_[item] == 0)
      topological_.push_back(item);
  int next = 0;
  for (size_t head = 0; static_cast<int>(head) < itemCount_; ++head) {
    if (head == topological_.size()) {
      while (place_[next] >= 0)
        ++next;
      count_[next] = 0;
      topological_.push_back(next);
    }
    int item = topological_[head];
    place_[item] = head;
    for (int *to = out.begin(item); to != out.end(item); ++to)
      if (place_[*to] < 0 && count_[*to] > 0 && --count_[*to] == 0)
        topological_.push_back(*to);
  }
  channel_.assign(edges.size(), 0);
  for (size_t e = 0; e < edges.size(); ++e)
    channel_[e] = place_[edges[e].to] <= place_[edges[e].from];
}

/// Moves sources, and trees that hang on nothing but sources, down to their first user.
void LayerLayout::pullDown() {
  const auto &edges = graph_->edges;
  std::vector<int> in(itemCount_, 0), out(itemCount_, 0), firstUse(itemCount_, layerCount_);
  std::vector<char> loose(itemCount_, 1);
  up_.start.assign(itemCount_ + 1, 0);
  Rows<int> users;
  users.start.assign(itemCount_ + 1, 0);
  for (size_t e = 0; e < edges.size(); ++e)
    if (!channel_[e]) {
      ++in[edges[e].to];
      ++out[edges[e].from];
      ++users.start[edges[e].from + 1];
    }
  std::partial_sum(users.start.begin(), users.start.end(), users.start.begin());
  users.data.resize(users.start.back());
  sequence_.assign(users.start.begin(), users.start.end() - 1);
  for (size_t e = 0; e < edges.size(); ++e)
    if (!channel_[e])
      users.data[sequence_[edges[e].from]++] = edges[e].to;
  for (int item : topological_) {
    if (graph_->items[item].role == Role::InPort)
      loose[item] = 0;
    for (int *user = users.begin(item); user != users.end(item); ++user)
      if (!loose[item] || out[item] != 1)
        loose[*user] = 0;
  }
  for (size_t i = topological_.size(); i-- > 0;) {
    int item = topological_[i];
    Role role = graph_->items[item].role;
    int first = layerCount_;
    for (int *user = users.begin(item); user != users.end(item); ++user)
      first = std::min(first, rank_[*user]);
    if (role >= Role::InPort || out[item] == 0)
      continue;
    if (loose[item] || role == Role::Pulled || out[item] > in[item])
      rank_[item] = std::max(rank_[item], first - 1);
  }
}

/// Renumbers the ranks in use without holes.
void LayerLayout::compactRanks() {
  count_.assign(layerCount_ + 1, 0);
  for (int rank : rank_)
    count_[rank] = 1;
  int next = 0;
  for (int &used : count_)
    used = used ? next++ : 0;
  for (int &rank : rank_)
    rank = count_[rank];
  layerCount_ = next;
}

void LayerLayout::assignRanks() {
  breakCycles();
  Rows<int> &out = layers_;
  hasInPorts_ = false;
  for (const LayerItem &item : graph_->items)
    hasInPorts_ |= item.role == Role::InPort;
  rank_.assign(itemCount_, hasInPorts_ ? 1 : 0);
  for (int item = 0; item < itemCount_; ++item)
    if (graph_->items[item].role == Role::InPort)
      rank_[item] = 0;
  layerCount_ = 1;
  for (int item : topological_) {
    layerCount_ = std::max(layerCount_, rank_[item] + 1);
    for (int *to = out.begin(item); to != out.end(item); ++to)
      if (place_[*to] > place_[item])
        rank_[*to] = std::max(rank_[*to], rank_[item] + 1);
  }
  bool hasOutPorts = false;
  int lastBox = hasInPorts_ ? 0 : -1;
  for (int item = 0; item < itemCount_; ++item) {
    if (graph_->items[item].role == Role::OutPort)
      hasOutPorts = true;
    else
      lastBox = std::max(lastBox, rank_[item]);
  }
  if (hasOutPorts) {
    layerCount_ = lastBox + 2;
    for (int item = 0; item < itemCount_; ++item)
      if (graph_->items[item].role == Role::OutPort)
        rank_[item] = lastBox + 1;
  }
  pullDown();
  compactRanks();
}

/// Sends edges over very many layers through side channels, so that dummies and bends stay within a
/// small multiple of the graph and a widely used value does not tear the picture apart.
void LayerLayout::chooseChannels() {
  const auto &edges = graph_->edges;
  int64_t dummyBudget = 2000 + 3 * static_cast<int64_t>(itemCount_) / 2;
  int64_t bendBudget = 20000 + 6 * static_cast<int64_t>(edges.size());
  for (int limit : {1 << 30, 200, 100, 60, 30, 15, 8, 4}) {
    int64_t dummies = 0, bends = 0;
    for (size_t e = 0; e < edges.size();) {
      int longest = 1;
      size_t first = e;
      for (; e < edges.size() && edges[e].value == edges[first].value && edges[e].from == edges[first].from; ++e) {
        int span = rank_[edges[e].to] - rank_[edges[e].from];
        if (channel_[e] || span > limit)
          continue;
        longest = std::max(longest, span);
        bends += span;
      }
      dummies += longest - 1;
    }
    if ((dummies > dummyBudget || bends > bendBudget) && limit > 4)
      continue;
    for (size_t e = 0; e < edges.size(); ++e)
      if (rank_[edges[e].to] - rank_[edges[e].from] > limit)
        channel_[e] = 1;
    return;
  }
}

void LayerLayout::addSegment(int from, int to, double fromOffset, double toOffset) {
  segments_.push_back({.from = from,
                       .to = to,
                       .fromOffset = std::isnan(fromOffset) ? 0 : fromOffset,
                       .toOffset = std::isnan(toOffset) ? 0 : toOffset,
                       .freeFrom = std::isnan(fromOffset),
                       .freeTo = std::isnan(toOffset)});
}

void LayerLayout::insertDummies() {
  const auto &edges = graph_->edges;
  segments_.clear();
  chains_.clear();
  chain_.assign(edges.size(), -1);
  lastSegment_.assign(edges.size(), -1);
  itemWidth_.resize(itemCount_);
  for (int item = 0; item < itemCount_; ++item)
    itemWidth_[item] = graph_->items[item].w;
  for (size_t e = 0; e < edges.size();) {
    size_t first = e;
    int from = edges[first].from, chain = -1, length = 0;
    for (; e < edges.size() && edges[e].value == edges[first].value && edges[e].from == from; ++e) {
      if (channel_[e])
        continue;
      int needed = rank_[edges[e].to] - rank_[from] - 1;
      if (needed > 0 && chain < 0)
        chain = static_cast<int>(rank_.size());
      // A chain is one run of numbers, so it is made in full length for its first edge.
      if (needed > 0 && length == 0) {
        for (size_t other = e;
             other < edges.size() && edges[other].value == edges[first].value && edges[other].from == from; ++other)
          if (!channel_[other])
            length = std::max(length, rank_[edges[other].to] - rank_[from] - 1);
        chains_.emplace_back(chain, length);
        for (int i = 0; i < length; ++i) {
          rank_.push_back(rank_[from] + 1 + i);
          itemWidth_.push_back(2);
          if (i == 0)
            addSegment(from, chain, edges[e].fromOffset, 0);
          else
            addSegment(chain + i - 1, chain + i, 0, 0);
        }
      }
      lastSegment_[e] = segments_.size();
      if (needed > 0) {
        chain_[e] = chain;
        addSegment(chain + needed - 1, edges[e].to, 0, edges[e].toOffset);
      } else {
        addSegment(from, edges[e].to, edges[e].fromOffset, edges[e].toOffset);
      }
    }
  }
  totalCount_ = rank_.size();
}

/// What merely feeds into an item that has a more telling input: a weight, a bias.
bool LayerLayout::isFeeder(const Segment &segment) {
  return !thin(segment.from) && up_.size(segment.from) == 0 && down_.size(segment.from) == 1 &&
         up_.size(segment.to) > 1;
}

/// How many items a way down from each item or dummy can pass.
void LayerLayout::measureWaysDown() {
  Rows<int> byLayer; // segments by the layer they leave
  byLayer.start.assign(layerCount_ + 1, 0);
  byLayer.data.resize(segments_.size());
  for (const Segment &segment : segments_)
    ++byLayer.start[rank_[segment.from] + 1];
  std::partial_sum(byLayer.start.begin(), byLayer.start.end(), byLayer.start.begin());
  sequence_.assign(byLayer.start.begin(), byLayer.start.end() - 1);
  for (size_t s = 0; s < segments_.size(); ++s)
    byLayer.data[sequence_[rank_[segments_[s].from]]++] = s;
  wayDown_.assign(totalCount_, 0);
  for (size_t i = byLayer.data.size(); i-- > 0;) {
    const Segment &segment = segments_[byLayer.data[i]];
    int &way = wayDown_[segment.from];
    way = std::max(way, wayDown_[segment.to] + (isDummy(segment.to) ? 0 : 1));
  }
}

/// Pairs each item with the user that has the longest way to go, and each user with the first item
/// that chose it: chains of pairs are the spines, drawn straight.
void LayerLayout::findSpines() {
  measureWaysDown();
  spine_.assign(segments_.size(), 0);
  std::vector<int> chosen(totalCount_, -1), taken(totalCount_, -1);
  auto gain = [&](const Segment &segment) { return 2 * wayDown_[segment.to] + (isDummy(segment.to) ? 0 : 3); };
  for (size_t s = 0; s < segments_.size(); ++s) {
    if (isFeeder(segments_[s]))
      continue;
    int &best = chosen[segments_[s].from];
    if (best < 0 || gain(segments_[s]) > gain(segments_[best]))
      best = s;
  }
  for (size_t s = 0; s < segments_.size(); ++s) {
    const Segment &segment = segments_[s];
    if (chosen[segment.from] != static_cast<int>(s) || thin(segment.from) || thin(segment.to))
      continue;
    int &best = taken[segment.to];
    if (best < 0 || segment.from < segments_[best].from)
      best = s;
  }
  for (int s : taken)
    if (s >= 0)
      spine_[s] = 1;
  anchorLongestPath(chosen);
}

/// The longest path gets fixed places, one under the other (port to port, where it passes boxes).
/// Where that has led it far aside it starts again in the middle.
void LayerLayout::anchorLongestPath(const std::vector<int> &chosen) {
  anchor_.assign(totalCount_, NAN);
  int start = -1;
  for (int item = 0; item < itemCount_; ++item)
    if (chosen[item] >= 0 && (start < 0 || wayDown_[item] > wayDown_[start]))
      start = item;
  if (start < 0)
    return;
  anchor_[start] = 0;
  for (int item = start; chosen[item] >= 0;) {
    const Segment &segment = segments_[chosen[item]];
    spine_[chosen[item]] = 1;
    double next = anchor_[item] + segment.fromOffset - segment.toOffset;
    anchor_[segment.to] = std::abs(next) > farAside ? 0 : next;
    item = segment.to;
  }
}

/// How much a segment wants to be straight: long edges most, then the spines. Feeders go where
/// their user is and must not drag it aside: over many layers that would bend the picture.
float LayerLayout::weightOf(size_t s) {
  const Segment &segment = segments_[s];
  int thinEnds = thin(segment.from) + thin(segment.to);
  if (thinEnds > 0)
    return thinEnds == 2 ? 16 : 0.4f;
  return spine_[s] ? 8 : isFeeder(segment) ? 0.001f : 0.5f;
}

void LayerLayout::indexSegments() {
  for (Rows<Half> *rows : {&up_, &down_}) {
    rows->start.assign(totalCount_ + 1, 0);
    rows->data.resize(segments_.size());
  }
  for (const Segment &segment : segments_) {
    ++up_.start[segment.to + 1];
    ++down_.start[segment.from + 1];
  }
  for (Rows<Half> *rows : {&up_, &down_})
    std::partial_sum(rows->start.begin(), rows->start.end(), rows->start.begin());
  std::vector<int> nextUp(up_.start.begin(), up_.start.end() - 1);
  std::vector<int> nextDown(down_.start.begin(), down_.start.end() - 1);
  findSpines();
  for (size_t s = 0; s < segments_.size(); ++s) {
    const Segment &segment = segments_[s];
    float delta = segment.fromOffset - segment.toOffset;
    float weight = weightOf(s);
    // Of a port of a wide box.
    auto shift = [&](int item, double offset) { return static_cast<float>(offset / (itemWidth_[item] + 1)); };
    up_.data[nextUp[segment.to]++] = {segment.from, delta, weight, static_cast<int>(s),
                                      shift(segment.from, segment.fromOffset)};
    down_.data[nextDown[segment.from]++] = {segment.to, -delta, weight, static_cast<int>(s),
                                            shift(segment.to, segment.toOffset)};
  }
}

bool LayerLayout::run(const LayerGraph &graph, const std::atomic<bool> *cancelled) {
  graph_ = &graph;
  cancelled_ = cancelled;
  itemCount_ = graph.items.size();
  hasHints_ =
      std::any_of(graph.items.begin(), graph.items.end(), [](const LayerItem &item) { return !std::isnan(item.hint); });
  rect.assign(itemCount_, {});
  route.resize(graph.edges.size());
  for (auto &points : route)
    points.clear();
  width = height = 0;
  if (itemCount_ == 0)
    return !stop();
  if (itemCount_ == 1 && graph.edges.empty()) {
    rect[0] = {0, 0, graph.items[0].w, graph.items[0].h};
    width = rect[0].w;
    height = rect[0].h;
    return !stop();
  }
  assignRanks();
  chooseChannels();
  insertDummies();
  indexSegments();
  initialOrder();
  if (stop() || !reduceCrossings())
    return false;
  assignX();
  if (stop())
    return false;
  if (totalCount_ > manyItems) {
    placed_ = std::vector<Placed>();
    placedX_ = std::vector<double>();
    pulls_ = std::vector<Pull>();
  }
  assignY();
  placePorts();
  if (totalCount_ > manyItems) { // routes go without them, and take as much again
    segments_ = std::vector<Segment>();
    down_ = Rows<Half>();
  }
  routeEdges();
  routeChannels();
  return !stop();
}

} // namespace fuselage
