// The page, or the inside of a cluster: its connected components one by one, packed into rows.
#include "core/graph/layout/LayoutHierarchy.h"
#include <algorithm>
#include <numeric>

namespace fuselage {

static constexpr double clusterPadding = 14, titleGap = 8, componentGap = 36, pageMargin = 16;
static constexpr double pageAspect = 1.6; // width to height that packed components aim at

/// Sorts items and parts into their levels; items in program order.
void LayoutHierarchy::groupByLevel() {
  int itemCount = firstPort_ + ports_.size();
  auto levelOf = [&](int id) { return 1 + (id < firstPort_ ? parentOf(id) : ports_[id - firstPort_].cluster); };
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
    std::stable_sort(items_.begin(level), items_.end(level), [&](int a, int b) { return key(a) < key(b); });
  rect_.assign(itemCount, {});
  local_.assign(itemCount, 0);
  partRoute_.resize(parts_.size());
  origin_.assign(clusterCount_ + 1, {});
}

LayerItem LayoutHierarchy::makeItem(int id) const {
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
void LayoutHierarchy::findComponents(int level) {
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

/// Puts the items and parts of a level in order of their components.
void LayoutHierarchy::sortByComponent(int level) {
  int size = items_.size(level);
  order_.resize(size);
  within_.resize(size);
  components_.clear();
  group_.assign(size + 1, 0);
  for (int i = 0; i < size; ++i)
    ++group_[component_[i] + 1];
  std::partial_sum(group_.begin(), group_.end(), group_.begin());
  for (int i = 0; i < size; ++i)
    if (component_[i] == i)
      components_.push_back({.firstItem = group_[i], .lastItem = group_[i + 1], .firstPart = 0, .lastPart = 0});
  for (int i = 0; i < size; ++i)
    order_[group_[component_[i]]++] = i;
  levelOrder_.assign(levelParts_.begin(level), levelParts_.end(level));
  auto componentOf = [&](int part) { return component_[local_[parts_[part].from]]; };
  if (components_.size() > 1)
    std::stable_sort(levelOrder_.begin(), levelOrder_.end(),
                     [&](int a, int b) { return componentOf(a) < componentOf(b); });
  size_t next = 0;
  for (Component &component : components_) {
    component.firstPart = next;
    int number = component_[order_[component.firstItem]];
    while (next < levelOrder_.size() && componentOf(levelOrder_[next]) == number)
      ++next;
    component.lastPart = next;
  }
}

bool LayoutHierarchy::layoutComponent(int level, Component &component) {
  const int *ids = items_.begin(level);
  levelGraph_.items.clear();
  levelGraph_.edges.clear();
  for (int k = component.firstItem; k < component.lastItem; ++k) {
    within_[order_[k]] = k - component.firstItem;
    levelGraph_.items.push_back(makeItem(ids[order_[k]]));
    component.ports |= ids[order_[k]] >= firstPort_;
  }
  auto offset = [&](int port, int item) {
    return port < 0 ? (item >= firstPort_ ? 0.0 : NAN) : ports_[port].x - rect_[item].w / 2;
  };
  for (size_t p = component.firstPart; p < component.lastPart; ++p) {
    const LayoutPart &part = parts_[levelOrder_[p]];
    levelGraph_.edges.push_back({.from = within_[local_[part.from]],
                                 .to = within_[local_[part.to]],
                                 .value = part.value,
                                 .fromOffset = offset(part.fromPort, part.from),
                                 .toOffset = offset(part.toPort, part.to)});
  }
  if (!layerLayout_.run(levelGraph_, cancelled_))
    return false;
  component.w = layerLayout_.width;
  component.h = layerLayout_.height;
  for (int k = component.firstItem; k < component.lastItem; ++k)
    rect_[ids[order_[k]]] = layerLayout_.rect[k - component.firstItem];
  for (size_t p = component.firstPart; p < component.lastPart; ++p)
    partRoute_[levelOrder_[p]] = std::move(layerLayout_.route[p - component.firstPart]);
  return true;
}

/// Rows of components; what touches the border stands left of all others, as high as the level.
/// Returns the size of it all.
LayoutPoint LayoutHierarchy::packComponents(int level) {
  double gap = level == 0 ? componentGap + 12 : componentGap, area = 0, widest = 0;
  for (const Component &box : components_)
    if (!box.ports) {
      area += (box.w + gap) * (box.h + gap);
      widest = std::max(widest, box.w);
    }
  double rowWidth = std::max(widest, std::sqrt(area * pageAspect));
  double left = 0, width = 0, height = 0;
  for (const Component &box : components_)
    if (box.ports) {
      left = components_.size() > 1 ? box.w + gap : box.w;
      width = box.w;
      height = box.h;
    }
  double x = left, y = 0, rowHeight = 0;
  for (Component &box : components_) {
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
  return {width, height};
}

/// Moves the components to their places within the level's frame.
void LayoutHierarchy::placeComponents(int level, LayoutPoint size) {
  const int *ids = items_.begin(level);
  double padX = pageMargin, padTop = pageMargin, padBottom = pageMargin;
  double fullWidth = size.x + 2 * padX;
  if (level > 0) {
    const LayoutGraph::Cluster &cluster = graph_.clusters[level - 1];
    padTop = cluster.titleHeight + titleGap;
    padBottom = clusterPadding;
    fullWidth = std::max(size.x, cluster.titleWidth) + 2 * clusterPadding;
    padX = (fullWidth - size.x) / 2;
  }
  double fullHeight = padTop + size.y + padBottom;
  for (const Component &box : components_) {
    for (int k = box.firstItem; k < box.lastItem; ++k) {
      int id = ids[order_[k]];
      rect_[id].x += box.x + padX;
      rect_[id].y += box.y + padTop;
      if (id >= firstPort_)
        ports_[id - firstPort_].x = rect_[id].x + rect_[id].w / 2;
    }
    for (size_t p = box.firstPart; p < box.lastPart; ++p) {
      auto &points = partRoute_[levelOrder_[p]];
      for (LayoutPoint &point : points) {
        point.x += box.x + padX;
        point.y += box.y + padTop;
      }
      // Ports lie on the border.
      if (parts_[levelOrder_[p]].from >= firstPort_)
        points.front().y = 0;
      if (parts_[levelOrder_[p]].to >= firstPort_)
        points.push_back({points.back().x, fullHeight});
    }
  }
  LayoutRect full{0, 0, fullWidth, fullHeight};
  if (level > 0)
    rect_[nodeCount_ + level - 1] = full;
  else
    result_.bounds = full;
}

bool LayoutHierarchy::layoutLevel(int level) {
  findComponents(level);
  sortByComponent(level);
  for (Component &component : components_)
    if (!layoutComponent(level, component))
      return false;
  placeComponents(level, packComponents(level));
  return true;
}

/// From places within levels to places on the page.
void LayoutHierarchy::placeOrigins() {
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

} // namespace fuselage
