#include "app/cli/lesson/LessonDrawing.h"
#include "app/cli/lesson/TileDrawing.h"
#include "core/engine/lessons/LessonPlayer.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/graph/scene/Palette.h"
#include <algorithm>

namespace fuselage::cli {

static constexpr double gapOfArrow = 40;

static llvm::Expected<Scene> sceneOf(LessonPlayer &player) {
  auto module = player.module();
  if (!module)
    return module.takeError();
  auto scene = buildScene(buildGraph(*module), {});
  if (!scene)
    return scene.takeError();
  if (auto verdicts = judgeEdges(*module, {}))
    applyVerdicts(*scene, *verdicts);
  else
    llvm::consumeError(verdicts.takeError());
  return scene;
}

/// Boxes and lines alone: words would be too small to read.
static void drawScene(Sketch &sketch, const Scene &scene, LayoutPoint at, double scale) {
  const auto placed = [&](const LayoutRect &rect) {
    return LayoutRect{at.x + rect.x * scale, at.y + rect.y * scale, rect.w * scale, rect.h * scale};
  };
  for (const SceneCluster &cluster : scene.clusters)
    if (cluster.kind != GraphCluster::Kind::Function)
      sketch.box(placed(cluster.rect), clusterInk(scene, cluster), 4);
  for (const SceneEdge &edge : scene.edges) {
    std::vector<LayoutPoint> line;
    for (const LayoutPoint &point : edge.points)
      line.push_back({at.x + point.x * scale, at.y + point.y * scale});
    if (!edge.scalar)
      sketch.line(line, lookColor(edge.look));
  }
  for (const SceneNode &node : scene.nodes)
    sketch.box(placed(node.rect), nodeInk(scene, node), 2);
}

/// From left to right as large as fits, in one scale: what became less is smaller.
static void drawGraphs(Sketch &sketch, llvm::ArrayRef<const Scene *> scenes) {
  const LayoutRect room = Sketch::room();
  const double gaps = gapOfArrow * double(scenes.size() - 1);
  double width = 0, height = 0;
  for (const Scene *scene : scenes)
    width += scene->bounds.w, height = std::max(height, scene->bounds.h);
  const double scale = std::min((room.w - gaps) / width, room.h / height);
  double x = room.x + (room.w - gaps - width * scale) / 2;
  for (const Scene *scene : scenes) {
    if (scene != scenes.front())
      sketch.arrow({x - gapOfArrow / 2, room.y + room.h / 2});
    drawScene(sketch, *scene, {x, room.y + (room.h - scene->bounds.h * scale) / 2}, scale);
    x += scene->bounds.w * scale + gapOfArrow;
  }
}

/// Nothing became one kernel, or two: what differs would not be seen.
static bool looksTheSame(const Scene &a, const Scene &b) {
  return a.dispatchLocs.size() == b.dispatchLocs.size() && a.clusters.size() == b.clusters.size();
}

static llvm::Expected<std::string> drawBeforeAndAfter(const Lesson &lesson, LessonPlayer &player) {
  auto before = sceneOf(player);
  if (!before)
    return before.takeError();
  for (const LessonTask &task : lesson.tasks)
    for (const std::string &action : task.show)
      if (llvm::Error error = player.act(action))
        return std::move(error);
  auto after = sceneOf(player);
  if (!after)
    return after.takeError();
  Sketch sketch("fuselage lesson picture");
  const Scene *both[] = {&*before, &*after};
  drawGraphs(sketch, llvm::ArrayRef(both).drop_front(looksTheSame(*before, *after)));
  return sketch.take();
}

llvm::Expected<std::string> drawLesson(const Lesson &lesson, llvm::StringRef tile) {
  LessonPlayer player;
  if (llvm::Error error = player.open(lesson))
    return std::move(error);
  if (tile.empty())
    return drawBeforeAndAfter(lesson, player);
  auto first = player.reportTile(tile);
  if (!first)
    return first.takeError();
  std::vector<int64_t> middle; // where it has neighbors on all sides
  for (const message::TileLoop<> &loop : first->loops)
    middle.push_back(loop.trips / 2);
  auto report = player.reportTile(tile, middle);
  if (!report)
    return report.takeError();
  Sketch sketch(("fuselage lesson picture --tile " + tile).str());
  drawTile(sketch, *report);
  return sketch.take();
}

} // namespace fuselage::cli
