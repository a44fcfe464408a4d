// graph/*.
#include "core/engine/Engine.h"
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

SceneRequest readRequest(Params &params, const Document &document) {
  SceneRequest request;
  request.snapshot = snapshotParam(params, document);
  unsigned level = params.choice("level", {"ops", "dispatches"});
  unsigned engine = params.choice("layout", {"layered", "dot"});
  SceneOptions &options = request.options;
  options.level = level == 1 ? SceneOptions::Level::Dispatches : SceneOptions::Level::Ops;
  options.engine = engine == 1 ? LayoutEngine::Dot : LayoutEngine::Layered;
  options.foldConstants = params.boolean("foldConstants", true);
  unsigned repeats = params.choice("repeats", {"auto", "collapse", "expand"});
  options.repeats = repeats == 0   ? SceneOptions::Repeats::Auto
                    : repeats == 1 ? SceneOptions::Repeats::Collapse
                                   : SceneOptions::Repeats::Expand;
  options.collapsed = params.integers("collapsed");
  options.expanded = params.integers("expanded");
  options.portsOf = params.integers("ports_of");
  options.openAll = params.boolean("open", false);
  options.function = params.string("function", "");
  request.idsOf = static_cast<unsigned>(params.integer("ids_of", 0, INT32_MAX, int64_t(request.snapshot)));
  llvm::raw_string_ostream os(request.key);
  os << level << engine << options.foldConstants << repeats << options.openAll << ' ' << options.function;
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

llvm::Expected<llvm::json::Value> scene(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  SceneRequest request = readRequest(params, **document);
  bool packed = params.boolean("packed", false);
  if (llvm::Error error = params.check())
    return error;
  engine.notify(message::DocumentProgress<>{.phase = "graph"});
  if (auto graph = (*document)->graph(request.snapshot, &engine.cancelled); !graph)
    return graph.takeError();
  if (llvm::Error error = finish(request, **document, engine.cancelled))
    return error;
  engine.notify(message::DocumentProgress<>{.phase = "layout"});
  auto scene = (*document)->scene(request.snapshot, request.options, request.key, engine.cancelled);
  if (!scene)
    return scene.takeError();
  llvm::json::Value json = packed ? toPackedJSON(**scene) : toJSON(**scene);
  (*json.getAsObject())["snapshot"] = request.snapshot;
  (*json.getAsObject())["collapsed"] = toJSON(request.options.collapsed);
  (*json.getAsObject())["expanded"] = toJSON(request.options.expanded);
  return json;
}

llvm::Error judge(Document &document, unsigned snapshot, const FusionPolicy &policy, Scene &scene) {
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  auto verdicts = judgeEdges(*module, policy);
  if (verdicts)
    applyVerdicts(scene, *verdicts);
  else // the window has none either
    llvm::consumeError(verdicts.takeError());
  return llvm::Error::success();
}

/// What of the scene is written, and how.
PictureOptions readPicture(Params &params) {
  PictureOptions picture;
  picture.ground = params.choice("theme", {"light", "dark"}) == 1 ? Ground::Dark : Ground::Light;
  unsigned pages = params.choice("pages", {"one", "a4", "a3"});
  picture.sheet = pages == 0 ? Sheet::None : pages == 1 ? Sheet::A4 : Sheet::A3;
  if (!params.has("region"))
    return picture;
  auto region = params.integerList("region");
  if (region.size() != 4 || region[2] <= 0 || region[3] <= 0)
    params.complain("region", "must be [x, y, width, height]");
  else
    picture.region = {static_cast<double>(region[0]), static_cast<double>(region[1]), static_cast<double>(region[2]),
                      static_cast<double>(region[3])};
  return picture;
}

llvm::json::Value writtenPicture(llvm::StringRef path, size_t pages) {
  return llvm::json::Object{{"path", path.str()}, {"pages", static_cast<int64_t>(pages)}};
}

llvm::Expected<llvm::json::Value> exportPicture(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  SceneRequest request = readRequest(params, **document);
  std::string path = params.string("path");
  bool wantsVerdicts = params.boolean("verdicts", true);
  std::string policyText = params.string("policy", "aggressive");
  bool writes = params.boolean("write", true);
  PictureOptions picture = readPicture(params);
  if (llvm::Error error = params.check())
    return error;
  if (path.empty() || path == "-")
    return fail("give the path of a file to export the graph to");
  auto policy = parseFusionPolicy(policyText);
  if (!policy)
    return policy.takeError();
  if (llvm::Error error = finish(request, **document, engine.cancelled))
    return error;
  if (!isPicture(path)) {
    auto graph = (*document)->graph(request.snapshot);
    if (!graph)
      return graph.takeError();
    if (!writes)
      return writtenPicture(path, 0);
    if (llvm::Error error = exportGraph(**graph, request.options, path))
      return error;
    return writtenPicture(path, 0);
  }
  // The picture that is on screen, in its order and colours.
  auto shown = (*document)->scene(request.snapshot, request.options, request.key, engine.cancelled);
  if (!shown)
    return shown.takeError();
  size_t pages = countPages(**shown, path, "", picture);
  if (!writes)
    return writtenPicture(path, pages);
  Scene scene = **shown;
  if (wantsVerdicts)
    if (llvm::Error error = judge(**document, request.snapshot, *policy, scene))
      return error;
  if (llvm::Error error = exportScene(scene, path, "", picture))
    return error;
  return writtenPicture(path, pages);
}

llvm::Expected<llvm::json::Value> outline(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  std::string policyText = params.string("policy", "aggressive");
  bool wantsVerdicts = params.boolean("judge", true);
  if (llvm::Error error = params.check())
    return error;
  auto policy = parseFusionPolicy(policyText);
  if (!policy)
    return policy.takeError();
  auto graph = (*document)->graph(snapshot, &engine.cancelled);
  if (!graph)
    return graph.takeError();
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  EdgeVerdicts verdicts;
  if (wantsVerdicts) {
    if (auto judged = judgeEdges(*module, *policy))
      verdicts = std::move(*judged);
    else // the window has none either
      llvm::consumeError(judged.takeError());
  }
  message::Outline<> outline = outlineOf(**graph, verdicts.looks.empty() ? nullptr : &verdicts);
  outline.snapshot = static_cast<int>(snapshot);
  return message::encode(outline);
}

} // namespace

void addGraphMethods(MethodTable &table) {
  table["graph/scene"] = scene;
  table["graph/export"] = exportPicture;
  table["graph/outline"] = outline;
}

} // namespace fuselage
