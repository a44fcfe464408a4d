#include "core/engine/Document.h"
#include "core/graph/GraphBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace fuselage {
namespace {

/// Every file:line:col inside a location, whatever it is wrapped in.
llvm::SmallVector<mlir::FileLineColLoc> placesIn(mlir::Location location) {
  llvm::SmallVector<mlir::FileLineColLoc> places;
  location->walk([&](mlir::Location inner) {
    if (auto place = mlir::dyn_cast<mlir::FileLineColLoc>(inner))
      places.push_back(place);
    return mlir::WalkResult::advance();
  });
  return places;
}

} // namespace

OpIndex::OpIndex(mlir::ModuleOp module) : names_(module) {
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    OpId id = ops_.size();
    ops_.push_back(op);
    ids_[op] = id;
    for (mlir::FileLineColLoc place : placesIn(op->getLoc()))
      places_[place].push_back(id);
  });
}

std::string OpIndex::nameOf(mlir::Value value) {
  std::string name;
  llvm::raw_string_ostream os(name);
  value.printAsOperand(os, names_);
  return name;
}

std::vector<OpId> OpIndex::opsAt(mlir::Location location) const {
  constexpr size_t maxOps = 16;
  std::vector<OpId> found;
  for (mlir::FileLineColLoc place : placesIn(location))
    if (auto it = places_.find(place); it != places_.end())
      llvm::append_range(found, it->second);
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > maxOps)
    found.resize(maxOps);
  return found;
}

llvm::Expected<std::unique_ptr<Document>> Document::open(llvm::StringRef path) {
  std::unique_ptr<Document> document(new Document);
  document->path_ = path.str();
  document->session_ = std::make_unique<Session>();
  DiagnosticCapture capture(document->session_->context());
  auto module = document->session_->open(path);
  if (!module)
    return module.takeError();
  document->diagnostics_ = capture.take();
  if (llvm::sys::fs::file_size(path, document->fileBytes_))
    document->fileBytes_ = 0;
  document->recording_.snapshots.push_back(std::make_shared<Snapshot>(std::move(*module)));
  return document;
}

llvm::Error Document::record(const RecordOptions &options) {
  auto recording = fuselage::record(*session_, input(), options);
  if (!recording)
    return recording.takeError();
  // The input stays the very snapshot that it was.
  recording->snapshots.front() = recording_.snapshots.front();
  for (size_t i = 0; i < recording->steps.size(); ++i)
    if (!recording->steps[i].changed)
      recording->snapshots[i + 1] = recording->snapshots[i];
  recording_ = std::move(*recording);
  forgetDerived();
  return llvm::Error::success();
}

void Document::forgetDerived() {
  texts_.clear();
  graphs_.clear();
  indices_.clear();
  textDiffs_.clear();
  graphDiffs_.clear();
  scenes_.clear();
  // The picture of the input stays what later ones are arranged by.
  if (shownSnapshot_ != 0)
    shown_.reset();
}

const PrintedModule &Document::printed(unsigned snapshot) {
  const auto &shared = recording_.snapshots[snapshot];
  if (!texts_.find(shared.get())) {
    // The cache's pointer lets go of the text, not of the snapshot.
    std::shared_ptr<const Snapshot> owner = shared;
    std::shared_ptr<const Snapshot> keepsText(
        shared.get(), [owner](const Snapshot *snapshot) { snapshot->releasePrinted(); });
    const PrintedModule &printed = shared->printed();
    texts_.insert(shared.get(), std::move(keepsText), 3 * printed.text().size());
  }
  return shared->printed();
}

std::shared_ptr<const Graph> Document::graph(unsigned snapshot) {
  if (auto known = graphs_.find(snapshotKey(snapshot)))
    return known;
  auto graph = std::make_shared<const Graph>(buildGraph(module(snapshot), printed(snapshot)));
  uint64_t cost = 0;
  for (const FunctionGraph &function : graph->functions)
    cost += function.nodes.size() + function.edges.size();
  graphs_.insert(snapshotKey(snapshot), graph, cost);
  return graph;
}

std::shared_ptr<OpIndex> Document::index(unsigned snapshot) {
  if (auto known = indices_.find(snapshotKey(snapshot)))
    return known;
  auto index = std::make_shared<OpIndex>(module(snapshot));
  indices_.insert(snapshotKey(snapshot), index, index->count());
  return index;
}

std::shared_ptr<const TextDiff> Document::textDiff(unsigned step) {
  if (auto known = textDiffs_.find(step))
    return known;
  // Copied, since printing the second may release the first.
  std::string left = printed(step).text();
  auto diff = std::make_shared<const TextDiff>(diffTexts(left, printed(step + 1).text()));
  textDiffs_.insert(step, diff, diff->rows.size());
  return diff;
}

std::shared_ptr<const GraphDiff> Document::graphDiff(unsigned step) {
  if (auto known = graphDiffs_.find(step))
    return known;
  auto diff = std::make_shared<const GraphDiff>(diffGraphs(module(step), module(step + 1)));
  graphDiffs_.insert(step, diff, diff->after.size() + diff->removed.size());
  return diff;
}

std::map<OpId, LayoutPoint> Document::hintsFor(unsigned snapshot) {
  std::map<OpId, LayoutPoint> places, hints;
  if (!shown_)
    return hints;
  for (const SceneNode &node : shown_->nodes)
    places[node.id] = {.x = node.rect.x + node.rect.w / 2, .y = node.rect.y + node.rect.h / 2};
  std::shared_ptr<OpIndex> here = index(snapshot), there = index(shownSnapshot_);
  for (const FunctionGraph &function : graph(snapshot)->functions)
    for (const GraphNode &node : function.nodes) {
      // Arguments have no location to go by; their numbers hardly ever change.
      std::vector<OpId> origins{node.id};
      if (node.id >= 0)
        origins = there->opsAt(here->op(node.id)->getLoc());
      for (OpId origin : origins)
        if (auto place = places.find(origin); place != places.end()) {
          hints[node.id] = place->second;
          break;
        }
    }
  return hints;
}

llvm::Expected<std::shared_ptr<const Scene>>
Document::scene(unsigned snapshot, SceneOptions options, const std::string &key,
                const std::atomic<bool> &cancelled) {
  std::shared_ptr<const Scene> scene = scenes_.find(key);
  if (!scene) {
    if (shown_ && shownSnapshot_ != snapshot && options.engine == LayoutEngine::Layered)
      options.hints = hintsFor(snapshot);
    auto built = buildScene(*graph(snapshot), options, &cancelled);
    if (!built)
      return built.takeError();
    scene = std::make_shared<const Scene>(std::move(*built));
    uint64_t cost = scene->nodes.size() + scene->clusters.size();
    for (const SceneEdge &edge : scene->edges)
      cost += edge.points.size() + 1;
    scenes_.insert(key, scene, cost);
  }
  shown_ = scene;
  shownSnapshot_ = snapshot;
  return scene;
}

} // namespace fuselage
