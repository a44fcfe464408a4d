#include "core/graph/export/Picture.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

/// Points: the sheet's own, and how large names (12 px) are on it.
static constexpr double shortA4 = 595.28, longA4 = 841.89, shortA3 = 841.89, longA3 = 1190.55, pageMargin = 36,
                        pageScale = 0.6;

/// Marks the tiles that a box touches.
static void touch(std::vector<char> &used, const PagePlan &plan, const LayoutRect &origin, const LayoutRect &box) {
  double wide = (plan.width - 2 * plan.margin) / plan.scale, high = (plan.height - 2 * plan.margin) / plan.scale;
  auto index = [](double at, double size, int count) {
    return static_cast<int>(std::clamp(std::floor(at / size), 0.0, count - 1.0));
  };
  if (box.x > origin.x + wide * plan.columns || box.y > origin.y + high * plan.rows || box.x + box.w < origin.x ||
      box.y + box.h < origin.y)
    return;
  for (int row = index(box.y - origin.y, high, plan.rows), last = index(box.y + box.h - origin.y, high, plan.rows);
       row <= last; ++row)
    for (int column = index(box.x - origin.x, wide, plan.columns),
             end = index(box.x + box.w - origin.x, wide, plan.columns);
         column <= end; ++column)
      used[static_cast<size_t>(row) * plan.columns + column] = 1;
}

/// Where a line runs, in pieces that are short beside a sheet.
static void touchLine(std::vector<char> &used, const PagePlan &plan, const LayoutRect &origin, const LayoutPoint &a,
                      const LayoutPoint &b) {
  constexpr double step = 100, mostPieces = 2000;
  double pieces = std::clamp(std::ceil(std::hypot(b.x - a.x, b.y - a.y) / step), 1.0, mostPieces);
  for (double i = 0; i <= pieces; ++i)
    touch(used, plan, origin, {a.x + (b.x - a.x) * i / pieces, a.y + (b.y - a.y) * i / pieces, 0, 0});
}

static PagePlan cut(const Scene &scene, const LayoutRect &area, double width, double height) {
  PagePlan plan{.width = width, .height = height, .margin = pageMargin, .scale = pageScale, .tiles = {}};
  double wide = (width - 2 * pageMargin) / pageScale, high = (height - 2 * pageMargin) / pageScale;
  auto sheets = [](double size, double sheet) {
    return static_cast<int>(std::clamp(std::ceil(size / sheet), 1.0, 1e6));
  };
  plan.columns = sheets(area.w, wide);
  plan.rows = sheets(area.h, high);
  if (plan.cells() > PagePlan::mostCells)
    return plan;
  // The picture stands in the middle of its sheets, from the top.
  LayoutRect origin{area.x - (plan.columns * wide - area.w) / 2, area.y, 0, 0};
  std::vector<char> used(plan.cells(), 0);
  for (const SceneNode &node : scene.nodes)
    touch(used, plan, origin, node.rect);
  for (const SceneCluster &cluster : scene.clusters)
    touch(used, plan, origin, {cluster.titleAt.x, cluster.titleAt.y, 1, 1});
  for (const SceneEdge &edge : scene.edges)
    for (size_t i = 1; i < edge.points.size(); ++i)
      touchLine(used, plan, origin, edge.points[i - 1], edge.points[i]);
  for (int row = 0; row < plan.rows; ++row)
    for (int column = 0; column < plan.columns; ++column)
      if (used[static_cast<size_t>(row) * plan.columns + column])
        plan.tiles.push_back(
            {.part = {origin.x + column * wide, origin.y + row * high, wide, high}, .row = row, .column = column});
  return plan;
}

/// What two rectangles share; of no width where that is nothing.
static LayoutRect shared(const LayoutRect &a, const LayoutRect &b) {
  double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0, std::min(a.x + a.w, b.x + b.w) - x), std::max(0.0, std::min(a.y + a.h, b.y + b.h) - y)};
}

PagePlan planPages(const Scene &scene, const PictureOptions &options) {
  if (options.sheet == Sheet::None)
    return {};
  double narrow = options.sheet == Sheet::A4 ? shortA4 : shortA3, wide = options.sheet == Sheet::A4 ? longA4 : longA3;
  LayoutRect area = options.region ? shared(*options.region, scene.bounds) : scene.bounds;
  if (options.region && (area.w <= 0 || area.h <= 0))
    return {};
  PagePlan upright = cut(scene, area, narrow, wide), lying = cut(scene, area, wide, narrow);
  return lying.tiles.size() < upright.tiles.size() ? lying : upright;
}

} // namespace fuselage
