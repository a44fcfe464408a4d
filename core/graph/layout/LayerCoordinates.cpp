// Layered layout, third phase: coordinates and polylines.
#include "core/graph/layout/LayerGraph.h"
#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace fuselage {

using Role = LayerItem::Role;

static constexpr double boxGap = 28, dummyGap = 14, lineGap = 10; // from border to border, px
static constexpr double layerGap = 40, portGap = 16;
static constexpr double trackGap = 8, portSpacing = 14, portInset = 10;
static constexpr size_t trackLimit = 40;
static constexpr double anchorWeight = 1e6;

double LayerLayout::distance(int left, int right) const {
  int lines = thin(left) + thin(right);
  return (itemWidth_[left] + itemWidth_[right]) / 2 + (lines == 2 ? lineGap : lines == 1 ? dummyGap : boxGap);
}

/// Puts the items in the order of their layers, with all that pulls at them: placeLayer() reads it many times.
void LayerLayout::gatherPulls() {
  placed_.clear();
  placed_.reserve(totalCount_ + 1);
  pulls_.clear();
  pulls_.reserve(up_.data.size() + down_.data.size());
  placedX_.resize(totalCount_);
  auto add = [&](const Rows<Half> &neighbours, int item) {
    for (int i = neighbours.start[item]; i < neighbours.start[item + 1]; ++i) {
      const Half &half = neighbours.data[i];
      pulls_.push_back({layers_.start[rank_[half.other]] + pos_[half.other], half.delta, half.weight});
    }
    return static_cast<int>(pulls_.size());
  };
  int end = 0;
  for (int layer = 0; layer < layerCount_; ++layer) {
    double offset = 0;
    const int *first = layers_.begin(layer), *last = layers_.end(layer);
    for (const int *item = first; item != last; ++item) {
      if (item != first)
        offset += distance(item[-1], *item);
      int up = end, down = add(up_, *item);
      end = add(down_, *item);
      placed_.push_back({offset, anchor_[*item], up, down});
    }
    for (int place = layers_.start[layer]; place < layers_.start[layer + 1]; ++place)
      placedX_[place] = placed_[place].offset - offset / 2;
  }
  placed_.push_back({0, NAN, end, end});
}

/// Moves a layer's items as near as their order and sizes allow to where their neighbours want
/// them: least squares under order constraints, by pooling adjacent violators.
void LayerLayout::placeLayer(int layer, double fromAbove, double fromBelow) {
  const int first = layers_.start[layer], last = layers_.start[layer + 1];
  blocks_.clear();
  for (int place = first; place != last; ++place) {
    const Placed &item = placed_[place];
    double sum = 0, weight = 0;
    auto pull = [&](int from, int to, double factor) {
      if (factor == 0)
        return;
      for (int i = from; i != to; ++i) {
        double w = factor * pulls_[i].weight;
        sum += w * (placedX_[pulls_[i].place] + pulls_[i].delta);
        weight += w;
      }
    };
    const int end = placed_[place + 1].up;
    if (!std::isnan(item.anchor)) {
      sum = anchorWeight * item.anchor;
      weight = anchorWeight;
    } else {
      pull(item.up, item.down, fromAbove);
      pull(item.down, end, fromBelow);
    }
    if (weight == 0)
      pull(item.up, end, 1);
    if (weight == 0) {
      sum = placedX_[place];
      weight = 1;
    }
    blocks_.push_back({sum / weight - item.offset, weight, 1});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].x > blocks_.back().x) {
      Block right = blocks_.back();
      blocks_.pop_back();
      Block &left = blocks_.back();
      left.x = (left.x * left.weight + right.x * right.weight) / (left.weight + right.weight);
      left.weight += right.weight;
      left.count += right.count;
    }
  }
  int place = first;
  for (const Block &block : blocks_)
    for (int i = 0; i < block.count; ++i, ++place)
      placedX_[place] = block.x + placed_[place].offset;
}

/// Takes out the last few pixels of bend: each item right under its heaviest neighbour if that is
/// near and there is room.
void LayerLayout::straighten() {
  for (int layer = 1; layer < layerCount_; ++layer) {
    const int *first = layers_.begin(layer), *last = layers_.end(layer);
    for (const int *item = first; item != last; ++item) {
      const Half *heaviest = nullptr;
      for (Half *half = up_.begin(*item); half != up_.end(*item); ++half)
        if (!heaviest || half->weight > heaviest->weight)
          heaviest = half;
      if (!heaviest || !std::isnan(anchor_[*item]))
        continue;
      double wish = x_[heaviest->other] + heaviest->delta;
      if (std::abs(wish - x_[*item]) > 12)
        continue;
      if (item != first)
        wish = std::max(wish, x_[item[-1]] + distance(item[-1], *item));
      if (item + 1 != last)
        wish = std::min(wish, x_[item[1]] - distance(*item, item[1]));
      if (item == first || wish >= x_[item[-1]] + distance(item[-1], *item))
        x_[*item] = wish;
    }
  }
}

/// Makes long edges straight where the items beside them leave a common lane, else of as few
/// straight pieces as they allow.
void LayerLayout::straightenChains() {
  for (auto [first, count] : chains_) {
    int runStart = first, end = first + count;
    double low = -INFINITY, high = INFINITY, sum = 0;
    auto finish = [&](int runEnd) {
      double x = std::clamp(sum / (runEnd - runStart), low, high);
      for (int dummy = runStart; dummy < runEnd; ++dummy)
        x_[dummy] = x;
    };
    for (int dummy = first; dummy < end; ++dummy) {
      const int *layer = layers_.begin(rank_[dummy]);
      int at = pos_[dummy], last = layers_.size(rank_[dummy]) - 1;
      double left = at > 0 ? x_[layer[at - 1]] + distance(layer[at - 1], dummy) : -INFINITY;
      double right = at < last ? x_[layer[at + 1]] - distance(dummy, layer[at + 1]) : INFINITY;
      bool anchored = !std::isnan(anchor_[dummy]);
      // Rounding must not make the place it has impossible.
      left = anchored ? x_[dummy] : std::min(left, x_[dummy]);
      right = anchored ? x_[dummy] : std::max(right, x_[dummy]);
      if (std::max(low, left) > std::min(high, right)) {
        finish(dummy);
        runStart = dummy;
        low = -INFINITY;
        high = INFINITY;
        sum = 0;
      }
      low = std::max(low, left);
      high = std::min(high, right);
      sum += x_[dummy];
    }
    finish(end);
  }
}

void LayerLayout::assignX() {
  gatherPulls();
  const int passes = totalCount_ > 40000 ? 8 : 14;
  for (int pass = 0; pass < passes; ++pass) {
    bool down = pass % 2 == 0;
    double same = pass >= passes - 2 ? 1 : pass >= passes - 6 ? 0.5 : 0;
    for (int k = 0; k < layerCount_; ++k)
      placeLayer(down ? k : layerCount_ - 1 - k, down ? 1 : same, down ? same : 1);
    if (stop())
      return;
  }
  x_.resize(totalCount_);
  for (int place = 0; place < totalCount_; ++place)
    x_[layers_.data[place]] = placedX_[place];
  straighten();
  straightenChains();
  straightenChains();
  double left = INFINITY, right = -INFINITY;
  for (int item = 0; item < totalCount_; ++item) {
    left = std::min(left, x_[item] - itemWidth_[item] / 2);
    right = std::max(right, x_[item] + itemWidth_[item] / 2);
  }
  for (double &x : x_)
    x -= left;
  width = right - left;
}

void LayerLayout::assignY() {
  layerTop_.assign(layerCount_, 0);
  layerHeight_.assign(layerCount_, 0);
  std::vector<double> widest(layerCount_, 0); // sideways way of the segments that leave a layer
  std::vector<char> channels(layerCount_ + 1, 0);
  for (int item = 0; item < itemCount_; ++item)
    layerHeight_[rank_[item]] = std::max(layerHeight_[rank_[item]], graph_->items[item].h);
  for (const Segment &segment : segments_) {
    double way = x_[segment.from] + segment.fromOffset - x_[segment.to] - segment.toOffset;
    double &most = widest[rank_[segment.from]];
    most = std::max(most, std::abs(way));
  }
  for (size_t e = 0; e < graph_->edges.size(); ++e)
    if (channel_[e]) {
      channels[rank_[graph_->edges[e].from] + 1] = 1;
      channels[rank_[graph_->edges[e].to]] = 1;
    }
  bool hasOutPorts = isPort(*layers_.begin(layerCount_ - 1));
  double y = channels[0] ? layerGap / 2 : 0;
  for (int layer = 0; layer < layerCount_; ++layer) {
    layerTop_[layer] = y;
    y += layerHeight_[layer];
    if (layer + 1 == layerCount_)
      break;
    bool atBorder = (layer == 0 && hasInPorts_) || (layer + 2 == layerCount_ && hasOutPorts);
    y += (atBorder ? portGap : layerGap) + std::min(0.08 * widest[layer], 60.0) + (channels[layer + 1] ? 20 : 0);
  }
  height = y + (channels[layerCount_] ? layerGap / 2 : 0);
  for (int item = 0; item < itemCount_; ++item) {
    const LayerItem &box = graph_->items[item];
    rect[item] = {x_[item] - box.w / 2, layerTop_[rank_[item]] + (layerHeight_[rank_[item]] - box.h) / 2, box.w, box.h};
  }
}

/// Where each segment leaves and enters its boxes: as straight down as the border allows, in the
/// order the edges come from, side by side.
void LayerLayout::placePorts() {
  segmentFromX_.resize(segments_.size());
  segmentToX_.resize(segments_.size());
  channelToX_.assign(graph_->edges.size(), 0);
  struct End {
    int target;
    double wish;
    size_t index;
    bool channel;
  };
  std::vector<End> ends;
  auto inside = [&](int item, double x) {
    double inset = std::min(portInset, itemWidth_[item] / 2);
    return std::clamp(x, x_[item] - itemWidth_[item] / 2 + inset, x_[item] + itemWidth_[item] / 2 - inset);
  };
  for (size_t s = 0; s < segments_.size(); ++s) {
    const Segment &segment = segments_[s];
    bool only = segment.freeFrom && down_.size(segment.from) == 1;
    double target = x_[segment.to] + segment.toOffset;
    segmentFromX_[s] = only ? inside(segment.from, target) : x_[segment.from] + segment.fromOffset;
    segmentToX_[s] = target;
    if (segment.freeTo && !isDummy(segment.to))
      ends.push_back({segment.to, segmentFromX_[s], s, false});
  }
  for (size_t e = 0; e < graph_->edges.size(); ++e) {
    const LayerEdge &edge = graph_->edges[e];
    if (!channel_[e])
      continue;
    channelToX_[e] = x_[edge.to] + (std::isnan(edge.toOffset) ? 0 : edge.toOffset);
    if (std::isnan(edge.toOffset))
      ends.push_back({edge.to, INFINITY, e, true});
  }
  std::sort(ends.begin(), ends.end(), [](const End &a, const End &b) {
    return std::tie(a.target, a.wish, a.channel, a.index) < std::tie(b.target, b.wish, b.channel, b.index);
  });
  for (size_t first = 0; first < ends.size();) {
    size_t last = first;
    int target = ends[first].target;
    while (last < ends.size() && ends[last].target == target)
      ++last;
    int count = static_cast<int>(last - first);
    double inset = std::min(portInset, itemWidth_[target] / 2);
    double leftmost = x_[target] - itemWidth_[target] / 2 + inset;
    double rightmost = x_[target] + itemWidth_[target] / 2 - inset;
    double spacing = count > 1 ? std::min(portSpacing, (rightmost - leftmost) / (count - 1)) : 0;
    double least = leftmost;
    for (int i = 0; i < count; ++i) {
      const End &end = ends[first + i];
      double most = rightmost - (count - 1 - i) * spacing;
      double x = std::max(least, std::min(end.wish, most));
      (end.channel ? channelToX_ : segmentToX_)[end.index] = x;
      least = x + spacing;
    }
    first = last;
  }
}

void LayerLayout::routeEdges() {
  for (size_t e = 0; e < graph_->edges.size(); ++e) {
    if (channel_[e])
      continue;
    const LayerEdge &edge = graph_->edges[e];
    std::vector<LayoutPoint> &points = route[e];
    int from = rank_[edge.from], to = rank_[edge.to];
    const LayoutRect &source = rect[edge.from], &target = rect[edge.to];
    int firstSegment = lastSegment_[e];
    if (chain_[e] >= 0) // the first dummy has one segment above it
      firstSegment = up_.begin(chain_[e])->segment;
    double x = segmentFromX_[firstSegment];
    points.reserve(2 * (to - from) + 3); // at a border one more
    points.push_back({x, source.y + source.h});
    points.push_back({x, layerTop_[from] + layerHeight_[from]});
    for (int layer = from + 1; layer < to; ++layer) {
      x = x_[chain_[e] + layer - from - 1];
      points.push_back({x, layerTop_[layer]});
      points.push_back({x, layerTop_[layer] + layerHeight_[layer]});
    }
    x = segmentToX_[lastSegment_[e]];
    points.push_back({x, layerTop_[to]});
    points.push_back({x, target.y});
  }
}

/// Side channels right of the level: down (or up) a track that all uses of the value share,
/// sideways only in the gaps between layers.
void LayerLayout::routeChannels() {
  const auto &edges = graph_->edges;
  struct Trunk {
    double top, bottom;
    size_t first, last; // edges
    size_t track;
  };
  std::vector<Trunk> trunks;
  for (size_t e = 0; e < edges.size();) {
    size_t first = e;
    Trunk trunk{INFINITY, -INFINITY, first, first, 0};
    for (; e < edges.size() && edges[e].value == edges[first].value && edges[e].from == edges[first].from; ++e) {
      if (!channel_[e])
        continue;
      double start = layerTop_[rank_[edges[e].from]] + layerHeight_[rank_[edges[e].from]];
      double end = layerTop_[rank_[edges[e].to]];
      trunk.top = std::min({trunk.top, start, end});
      trunk.bottom = std::max({trunk.bottom, start, end});
    }
    trunk.last = e;
    if (trunk.top <= trunk.bottom)
      trunks.push_back(trunk);
  }
  if (trunks.empty())
    return;
  std::stable_sort(trunks.begin(), trunks.end(), [](const Trunk &a, const Trunk &b) { return a.top < b.top; });
  using Free = std::pair<double, size_t>; // until where a track is taken
  std::priority_queue<Free, std::vector<Free>, std::greater<>> busy;
  size_t tracks = 0;
  for (Trunk &trunk : trunks) {
    if (!busy.empty() && (busy.top().first + layerGap < trunk.top || tracks == trackLimit)) {
      trunk.track = busy.top().second;
      trunk.bottom = std::max(trunk.bottom, busy.top().first);
      busy.pop();
    } else {
      trunk.track = tracks++;
    }
    busy.push({trunk.bottom, trunk.track});
  }
  for (const Trunk &trunk : trunks) {
    double trackX = width + dummyGap + trackGap * trunk.track;
    double shift = 4 + 4.0 * (trunk.track % 3);
    for (size_t e = trunk.first; e < trunk.last; ++e) {
      if (!channel_[e])
        continue;
      const LayoutRect &source = rect[edges[e].from], &target = rect[edges[e].to];
      double fromX = x_[edges[e].from] + (std::isnan(edges[e].fromOffset) ? 0 : edges[e].fromOffset);
      double leave = layerTop_[rank_[edges[e].from]] + layerHeight_[rank_[edges[e].from]] + shift;
      double enter = layerTop_[rank_[edges[e].to]] - shift;
      route[e] = {
          {fromX, source.y + source.h}, {fromX, leave}, {trackX, leave}, {trackX, enter}, {channelToX_[e], enter},
          {channelToX_[e], target.y}};
    }
  }
  width += dummyGap + trackGap * tracks;
}

} // namespace fuselage
