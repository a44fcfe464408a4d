// graph/*.
#include "core/protocol/methods/GraphMethods.h"
#include "core/engine/MethodTable.h"
#include "core/graph/export/Picture.h"
#include "core/graph/model/ClusterNames.h"
#include "core/graph/outline/Outline.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/protocol/Document.h"

namespace fuselage {
namespace {

/// What graph/scene and graph/export share.
struct SceneRequest {
  unsigned snapshot = 0;
  unsigned idsOf = 0; ///< the snapshot in which the clusters to collapse and to expand have their ids
  SceneOptions options;
  std::string key; ///< spells all of it
};

SceneRequest sceneOf(const method::SceneChoice<> &choice) {
  SceneRequest request;
  request.snapshot = choice.snapshot;
  SceneOptions &options = request.options;
  options.level =
      choice.level == method::SceneLevel::Dispatches ? SceneOptions::Level::Dispatches : SceneOptions::Level::Ops;
  options.engine = choice.layout == method::SceneLayout::Dot ? LayoutEngine::Dot : LayoutEngine::Layered;
  options.foldConstants = choice.foldConstants;
  options.repeats = choice.repeats == method::SceneRepeats::Auto       ? SceneOptions::Repeats::Auto
                    : choice.repeats == method::SceneRepeats::Collapse ? SceneOptions::Repeats::Collapse
                                                                       : SceneOptions::Repeats::Expand;
  options.collapsed = {choice.collapsed.begin(), choice.collapsed.end()};
  options.expanded = {choice.expanded.begin(), choice.expanded.end()};
  options.portsOf = {choice.portsOf.begin(), choice.portsOf.end()};
  options.openAll = choice.openAll;
  options.function = choice.function;
  request.idsOf = static_cast<unsigned>(choice.idsOf.value_or(request.snapshot));
  llvm::raw_string_ostream os(request.key);
  os << int(choice.level) << int(choice.layout) << options.foldConstants << int(choice.repeats) << options.openAll
     << ' ' << options.function;
  return request;
}

/// Finds the clusters of another snapshot in this one, and completes the key.
llvm::Error finish(SceneRequest &request, Document &document, const std::atomic<bool> &cancelled) {
  SceneOptions &options = request.options;
  if (!document.hasSnapshot(request.idsOf)) { // another recording took its place
    options.collapsed.clear();
    options.expanded.clear();
  }
  if (request.idsOf != request.snapshot && !(options.collapsed.empty() && options.expanded.empty())) {
    auto from = document.graph(request.idsOf, &cancelled), to = document.graph(request.snapshot, &cancelled);
    if (!from || !to)
      return llvm::joinErrors(from ? llvm::Error::success() : from.takeError(),
                              to ? llvm::Error::success() : to.takeError());
    options.collapsed = sameClusters(**from, options.collapsed, **to);
    options.expanded = sameClusters(**from, options.expanded, **to);
  }
  llvm::raw_string_ostream os(request.key);
  os << ' ' << request.snapshot;
  for (OpId id : options.collapsed)
    os << " -" << id;
  for (OpId id : options.expanded)
    os << " +" << id;
  for (OpId id : options.portsOf)
    os << " p" << id;
  return llvm::Error::success();
}

llvm::json::Array toJSON(const std::set<OpId> &ids) { return llvm::json::Array(ids); }

llvm::Expected<llvm::json::Value> scene(Engine &engine, Document &document,
                                        const method::GraphScene::Request<> &request) {
  SceneRequest wanted = sceneOf(request.scene);
  engine.notify(message::DocumentProgress<>{.phase = "graph"});
  if (auto graph = document.graph(wanted.snapshot, &engine.cancelled); !graph)
    return graph.takeError();
  if (llvm::Error error = finish(wanted, document, engine.cancelled))
    return error;
  engine.notify(message::DocumentProgress<>{.phase = "layout"});
  auto scene = document.scene(wanted.snapshot, wanted.options, wanted.key, engine.cancelled);
  if (!scene)
    return scene.takeError();
  llvm::json::Value json = request.packed ? toPackedJSON(**scene) : toJSON(**scene);
  (*json.getAsObject())["snapshot"] = wanted.snapshot;
  (*json.getAsObject())["collapsed"] = toJSON(wanted.options.collapsed);
  (*json.getAsObject())["expanded"] = toJSON(wanted.options.expanded);
  return json;
}

/// None where the module cannot be judged: the window has none either. Failure: there is no module; it was cancelled.
llvm::Expected<EdgeVerdicts> edgesOf(Document &document, unsigned snapshot, const FusionPolicy &policy, bool tries,
                                     const std::atomic<bool> &cancelled) {
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  auto verdicts = judgeEdges(*module, policy, tries, &cancelled);
  if (verdicts || cancelled)
    return verdicts;
  llvm::consumeError(verdicts.takeError());
  return EdgeVerdicts();
}

llvm::Error judge(Document &document, unsigned snapshot, const FusionPolicy &policy, Scene &scene,
                  const std::atomic<bool> &cancelled) {
  auto verdicts = edgesOf(document, snapshot, policy, /*tries=*/true, cancelled);
  if (!verdicts)
    return verdicts.takeError();
  applyVerdicts(scene, *verdicts);
  return llvm::Error::success();
}

/// What of the scene is written, and how.
llvm::Expected<PictureOptions> pictureOf(const method::ExportGraph::Request<> &request) {
  using Pages = method::PicturePages;
  PictureOptions picture;
  picture.ground = request.theme == method::PictureTheme::Dark ? Ground::Dark : Ground::Light;
  picture.sheet = request.pages == Pages::One ? Sheet::None : request.pages == Pages::A4 ? Sheet::A4 : Sheet::A3;
  if (!request.region)
    return picture;
  const std::vector<int64_t> &region = *request.region;
  if (region.size() != 4 || region[2] <= 0 || region[3] <= 0)
    return badParameter("region", "must be [x, y, width, height]");
  picture.region = {static_cast<double>(region[0]), static_cast<double>(region[1]), static_cast<double>(region[2]),
                    static_cast<double>(region[3])};
  return picture;
}

llvm::Expected<message::WrittenPicture<>> exportPicture(Engine &engine, Document &document,
                                                        const method::ExportGraph::Request<> &request) {
  SceneRequest wanted = sceneOf(request.scene);
  auto picture = pictureOf(request);
  if (!picture)
    return picture.takeError();
  const std::string &path = request.path;
  auto written = [&](size_t pages) {
    return message::WrittenPicture<>{.path = path, .pages = static_cast<int64_t>(pages)};
  };
  if (path.empty() || path == "-")
    return fail("give the path of a file to export the graph to");
  auto policy = parseFusionPolicy(request.policy);
  if (!policy)
    return policy.takeError();
  if (llvm::Error error = finish(wanted, document, engine.cancelled))
    return error;
  if (!isPicture(path)) {
    auto graph = document.graph(wanted.snapshot, &engine.cancelled);
    if (!graph)
      return graph.takeError();
    if (!request.write)
      return written(0);
    EdgeVerdicts verdicts;
    if (request.verdicts && showsVerdicts(path)) {
      auto judged = edgesOf(document, wanted.snapshot, *policy, /*tries=*/true, engine.cancelled);
      if (!judged)
        return judged.takeError();
      verdicts = std::move(*judged);
    }
    if (llvm::Error error =
            exportGraph(**graph, wanted.options, path, "", verdicts.looks.empty() ? nullptr : &verdicts))
      return error;
    return written(0);
  }
  // The picture that is on screen, in its order and colours.
  auto shown = document.scene(wanted.snapshot, wanted.options, wanted.key, engine.cancelled);
  if (!shown)
    return shown.takeError();
  size_t pages = countPages(**shown, path, "", *picture);
  if (!request.write)
    return written(pages);
  Scene scene = **shown;
  if (request.verdicts)
    if (llvm::Error error = judge(document, wanted.snapshot, *policy, scene, engine.cancelled))
      return error;
  if (llvm::Error error = exportScene(scene, path, "", *picture))
    return error;
  return written(pages);
}

llvm::Expected<message::Outline<>> outline(Engine &engine, Document &document,
                                           const method::GraphOutline::Request<> &request) {
  unsigned snapshot = request.snapshot;
  auto policy = parseFusionPolicy(request.policy);
  if (!policy)
    return policy.takeError();
  auto graph = document.graph(snapshot, &engine.cancelled);
  if (!graph)
    return graph.takeError();
  EdgeVerdicts verdicts;
  if (request.judge) {
    auto judged = edgesOf(document, snapshot, *policy, /*tries=*/false, engine.cancelled);
    if (!judged)
      return judged.takeError();
    verdicts = std::move(*judged);
  }
  message::Outline<> outline = outlineOf(**graph, verdicts.looks.empty() ? nullptr : &verdicts);
  outline.snapshot = static_cast<int>(snapshot);
  return outline;
}

} // namespace

void addGraphMethods(MethodTable &table) {
  addMethod<method::GraphScene, scene>(table);
  addMethod<method::ExportGraph, exportPicture>(table);
  addMethod<method::GraphOutline, outline>(table);
}

} // namespace fuselage
