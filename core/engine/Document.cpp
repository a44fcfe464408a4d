#include "core/engine/Document.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/module/Blobs.h"
#include "core/ir/module/Splits.h"
#include "core/ir/ops/ValueNames.h"
#include "core/ir/reading/ReadReport.h"
#include "core/registration/Registration.h"
#include "core/stepping/pipeline/DefaultPipeline.h"
#include "core/stepping/record/DumpTimeline.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

OpIndex::OpIndex(mlir::ModuleOp module, std::shared_ptr<const void> owner) : owner_(std::move(owner)) {
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
  value.printAsOperand(os, names_ ? *names_ : names_.emplace(ops_.front(), withValueNames()));
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

/// The bytes of a file, or of all files below a directory.
static uint64_t sizeOnDisk(llvm::StringRef path) {
  uint64_t bytes = 0;
  std::error_code problem;
  if (!llvm::sys::fs::is_directory(path)) {
    problem = llvm::sys::fs::file_size(path, bytes);
    return problem ? 0 : bytes;
  }
  for (llvm::sys::fs::recursive_directory_iterator at(path, problem, /*follow_symlinks=*/false), end;
       at != end && !problem; at.increment(problem))
    if (auto status = at->status())
      bytes += status->type() == llvm::sys::fs::file_type::regular_file ? status->getSize() : 0;
  return bytes;
}

llvm::Error Document::read(llvm::StringRef path, const std::atomic<bool> *cancelled) {
  if (DumpLog::isDump(path)) {
    auto log = openTimeline(*session_, path, [cancelled] { return cancelled && *cancelled; });
    if (!log)
      return log.takeError();
    opened_ = std::move(*log);
    diagnostics_ = opened_.notes;
    return llvm::Error::success();
  }
  DiagnosticCapture capture(session_->context());
  auto source = loadDetached(path);
  if (!source)
    return source.takeError();
  auto result = session_->read(*source);
  if (!result)
    return result.takeError();
  file_ = OpenedFile(*source);
  diagnostics_ = capture.take();
  llvm::append_range(diagnostics_, std::move(result->diagnostics));
  llvm::append_range(diagnostics_, findMissingBlobs(*result->module));
  gaps_ = result->gaps;
  tolerated_ = result->tolerated;
  opened_.snapshots.push_back(std::make_shared<Snapshot>(std::move(result->module)));
  return llvm::Error::success();
}

/// Adds steps whose first snapshot is the last that is there. `onlyChanged`: without those that did nothing.
static void append(Recording &recording, Recording added, bool onlyChanged) {
  for (size_t i = 0; i < added.steps.size(); ++i) {
    Step &step = added.steps[i];
    if (onlyChanged && !step.changed && !step.failed)
      continue;
    // Unchanged IR stays the very snapshot that it was.
    recording.snapshots.push_back(step.changed ? added.snapshots[i + 1] : recording.snapshots.back());
    step.before = recording.steps.size();
    step.after = step.before + 1;
    recording.steps.push_back(std::move(step));
  }
}

llvm::Expected<std::unique_ptr<Document>> Document::open(llvm::StringRef path, const std::atomic<bool> *cancelled) {
  std::unique_ptr<Document> document(new Document);
  document->path_ = path.str();
  document->session_ = std::make_unique<Session>(allDialects());
  if (llvm::Error error = document->read(path, cancelled))
    return error;
  document->fileBytes_ = sizeOnDisk(path);
  document->recording_ = document->opened_;
  if (llvm::Error error = document->normalize())
    return error;
  return document;
}

llvm::Error Document::normalize() {
  if (isLog())
    return llvm::Error::success();
  auto module = input();
  if (!module)
    return module.takeError();
  if (llvm::none_of(splitModules(*module), needsNormalization))
    return llvm::Error::success();
  RecordOptions options;
  options.pipeline = normalizationStep().pipeline;
  options.start = opened_.snapshots.front();
  auto recording = fuselage::record(*session_, *module, options);
  if (!recording)
    return recording.takeError();
  Step &step = recording->steps.front();
  if (step.failed) {
    // What was opened can still be looked at.
    step.diagnostics.push_back({.severity = Diagnostic::Severity::Warning,
                                .message = "the module's functions cannot be normalized; it is shown as written"});
    llvm::append_range(diagnostics_, step.diagnostics);
    return llvm::Error::success();
  }
  step.name = normalizationStep().title;
  step.teaches = normalizationStep().teaches;
  append(recording_, std::move(*recording), true);
  kept_ = recording_.steps.size();
  isNormalized_ = true;
  if (auto after = this->module(kept_))
    forgetSettledDialects(diagnostics_, *after);
  else
    return after.takeError();
  return llvm::Error::success();
}

Recording Document::prefix(unsigned snapshot) const {
  Recording front;
  front.schedule = recording_.schedule;
  // The steps of a log lie between dumps of their own: what is made of one begins anew.
  unsigned steps = recording_.log.empty() ? snapshot : 0;
  front.steps.assign(recording_.steps.begin(), recording_.steps.begin() + steps);
  for (unsigned i = snapshot - steps; i <= snapshot; ++i)
    front.snapshots.push_back(recording_.snapshots[i]);
  return front;
}

llvm::Error Document::record(const RecordOptions &options, std::optional<unsigned> from) {
  Recording front;
  bool isAnew = from && isLog();
  if (isAnew)
    front.snapshots.push_back(opened_.snapshots[*from]);
  else
    front = prefix(from ? normalizationSteps() : kept_);
  auto input = front.snapshots.back()->parsed();
  if (!input)
    return input.takeError();
  unsigned first = front.steps.size();
  RecordOptions shifted = options;
  shifted.start = front.snapshots.back();
  if (shifted.directory.empty()) // where a tool of the pipeline works
    shifted.directory = llvm::sys::path::parent_path(toolSource_.empty() ? path_ : toolSource_).str();
  shifted.limit = options.limit < first ? 0 : options.limit - first;
  shifted.limit = options.limit == ~0u ? ~0u : shifted.limit;
  auto tell = [first](auto &callback) {
    if (callback)
      callback = [first, inner = std::move(callback)](unsigned index, unsigned total, const Step &step) {
        inner(first + index, first + total, step);
      };
  };
  tell(shifted.beforeStep);
  tell(shifted.afterStep);
  auto recording = fuselage::record(*session_, *input, shifted);
  if (!recording)
    return recording.takeError();
  front.pipeline = options.pipeline;
  front.schedule = options.schedule;
  front.notes = recording->notes;
  front.cancelled = recording->cancelled;
  append(front, std::move(*recording), false);
  undone_.after.clear();
  if (from) {
    undone_.before.clear();
    kept_ = isAnew ? 0 : normalizationSteps();
  }
  recording_ = std::move(front);
  forgetDerived();
  return llvm::Error::success();
}

unsigned Document::normalizationSteps() const {
  // Nothing before it ever changes: undoing ends there, too.
  bool isNormalized = !recording_.steps.empty() && recording_.steps.front().pass == kNormalizationPass;
  return isNormalized && !isLog() ? 1 : 0;
}

llvm::Expected<unsigned> Document::fuse(const RecordOptions &options, unsigned snapshot) {
  auto input = recording_.snapshots[snapshot]->parsed();
  if (!input)
    return input.takeError();
  RecordOptions from = options;
  from.start = recording_.snapshots[snapshot];
  auto added = fuselage::record(*session_, *input, from);
  if (!added)
    return added.takeError();
  if (!added->steps.empty() && added->steps.back().failed)
    return fail("'" + added->steps.back().pass + "' failed", std::move(added->steps.back().diagnostics));
  Version next{.recording = prefix(snapshot), .kept = 0};
  unsigned first = next.recording.steps.size();
  next.recording.pipeline = options.pipeline;
  append(next.recording, std::move(*added), true);
  if (next.recording.steps.size() == first)
    return recording_.steps.size();
  next.kept = next.recording.steps.size();
  undone_.after.clear();
  undone_.before.push_back({.recording = std::move(recording_), .kept = kept_});
  constexpr size_t mostLevels = 32;
  if (undone_.before.size() > mostLevels)
    undone_.before.erase(undone_.before.begin());
  show(std::move(next));
  return first;
}

void Document::show(Version version) {
  recording_ = std::move(version.recording);
  kept_ = version.kept;
  forgetDerived();
}

bool Document::undoFusion() {
  if (undone_.before.empty())
    return false;
  undone_.after.push_back({.recording = std::move(recording_), .kept = kept_});
  show(std::move(undone_.before.back()));
  undone_.before.pop_back();
  return true;
}

bool Document::redoFusion() {
  if (undone_.after.empty())
    return false;
  undone_.before.push_back({.recording = std::move(recording_), .kept = kept_});
  show(std::move(undone_.after.back()));
  undone_.after.pop_back();
  return true;
}

void Document::forgetDerived() {
  texts_.clear();
  modules_.clear();
  graphs_.clear();
  indices_.clear();
  textDiffs_.clear();
  graphDiffs_.clear();
  // The picture of the input stays what later ones are arranged by.
  if (shownSnapshot_ != 0)
    shown_.reset();
}

bool Document::hasSnapshot(int64_t number) const {
  return number >= 0 &&
         (number < snapshotCount() || (number <= UINT32_MAX && places_.count(static_cast<unsigned>(number))));
}

const std::shared_ptr<const Snapshot> &Document::snapshot(unsigned number) const {
  return number < kFirstPlace ? recording_.snapshots[number] : places_.find(number)->second.snapshot;
}

/// What a cache holds of a snapshot: letting go of it makes the snapshot forget something, and does
/// not end the snapshot.
static std::shared_ptr<const Snapshot> leaseOf(const std::shared_ptr<const Snapshot> &snapshot,
                                               void (Snapshot::*release)() const) {
  return {snapshot.get(), [owner = snapshot, release](const Snapshot *) { (owner.get()->*release)(); }};
}

llvm::Expected<mlir::ModuleOp> Document::module(unsigned snapshot) {
  const auto &shared = this->snapshot(snapshot);
  if (!shared->isDump() || modules_.find(shared.get()))
    return shared->parsed();
  constexpr uint64_t bytesPerCharacter = 20; // of ops, types and what else a parsed text becomes
  auto module = shared->parsed();
  if (module)
    modules_.insert(shared.get(), leaseOf(shared, &Snapshot::releaseModule),
                    bytesPerCharacter * lines(snapshot).text().size());
  return module;
}

llvm::Expected<mlir::ModuleOp> Document::program(unsigned snapshot) {
  return module(snapshot == 0 && isNormalized_ ? recording_.steps.front().after : snapshot);
}

const PrintedModule &Document::lines(unsigned snapshot) {
  const auto &shared = this->snapshot(snapshot);
  if (!texts_.find(shared.get())) {
    const PrintedModule &lines = shared->lines();
    texts_.insert(shared.get(), leaseOf(shared, &Snapshot::releaseText), 3 * lines.text().size());
  }
  return shared->lines();
}

const PrintedModule &Document::printed(unsigned snapshot) {
  lines(snapshot);
  if (auto module = this->module(snapshot); !module)
    llvm::consumeError(module.takeError());
  return this->snapshot(snapshot)->printed();
}

llvm::Expected<std::shared_ptr<const Graph>> Document::graph(unsigned snapshot, const std::atomic<bool> *cancelled) {
  if (auto known = graphs_.find(snapshotKey(snapshot)))
    return known;
  auto module = this->module(snapshot);
  if (!module)
    return module.takeError();
  std::atomic<bool> never = false;
  std::optional<Graph> built = buildGraph(*module, cancelled ? *cancelled : never);
  if (!built)
    return fail("drawing the graph was cancelled");
  auto graph = std::make_shared<const Graph>(std::move(*built));
  uint64_t cost = 0;
  for (const FunctionGraph &function : graph->functions)
    cost += function.nodes.size() + function.edges.size();
  graphs_.insert(snapshotKey(snapshot), graph, cost);
  return graph;
}

llvm::Expected<std::shared_ptr<OpIndex>> Document::index(unsigned snapshot) {
  if (auto known = indices_.find(snapshotKey(snapshot)))
    return known;
  auto module = this->module(snapshot);
  if (!module)
    return module.takeError();
  auto index = std::make_shared<OpIndex>(*module, this->snapshot(snapshot)->holdModule());
  indices_.insert(snapshotKey(snapshot), index, index->count());
  return index;
}

std::shared_ptr<const TextDiff> Document::textDiff(unsigned before, unsigned after) {
  std::pair key(snapshotKey(before), snapshotKey(after));
  if (auto known = textDiffs_.find(key))
    return known;
  // Copied, since printing the second may release the first.
  std::string left = lines(before).text();
  auto diff = std::make_shared<const TextDiff>(diffTexts(left, lines(after).text()));
  textDiffs_.insert(key, diff, diff->rows.size());
  return diff;
}

llvm::Expected<std::shared_ptr<const GraphDiff>> Document::graphDiff(unsigned before, unsigned after) {
  std::pair key(snapshotKey(before), snapshotKey(after));
  if (auto known = graphDiffs_.find(key))
    return known;
  auto left = module(before);
  if (!left)
    return left.takeError();
  const Snapshot &first = *snapshot(before), &last = *snapshot(after);
  std::shared_ptr<const void> held = first.holdModule(); // parsing the second may release the first
  auto right = module(after);
  if (!right)
    return right.takeError();
  GraphDiff::By by = first.hasPlaces() && last.hasPlaces() ? GraphDiff::By::Place : GraphDiff::By::Shape;
  auto diff = std::make_shared<const GraphDiff>(diffGraphs(*left, *right, by));
  graphDiffs_.insert(key, diff, diff->after.size() + diff->removed.size());
  return diff;
}

/// Where the ops of a snapshot stood; of another recording's nothing is left.
PlaceMemory &Document::placesOf(unsigned snapshot) {
  constexpr size_t mostSnapshots = 32;
  if (seen_.size() > mostSnapshots)
    seen_.clear();
  auto &[of, memory] = seen_[snapshot];
  if (of.lock() != this->snapshot(snapshot)) {
    of = this->snapshot(snapshot);
    memory = PlaceMemory();
  }
  return memory;
}

std::map<OpId, LayoutPoint> Document::hintsFor(unsigned snapshot) {
  std::map<OpId, LayoutPoint> places, hints;
  if (!shown_ || !hasSnapshot(shownSnapshot_))
    return hints;
  if (snapshot == shownSnapshot_)
    return placesOf(snapshot).hintsAfter(*shown_);
  for (const SceneNode &node : shown_->nodes)
    places[node.id] = {.x = node.rect.x + node.rect.w / 2, .y = node.rect.y + node.rect.h / 2};
  auto here = index(snapshot), there = index(shownSnapshot_);
  auto graph = this->graph(snapshot);
  if (!here || !there || !graph) {
    llvm::consumeError(here.takeError());
    llvm::consumeError(there.takeError());
    llvm::consumeError(graph.takeError());
    return hints;
  }
  for (const FunctionGraph &function : (*graph)->functions)
    for (const GraphNode &node : function.nodes) {
      // Arguments have no location to go by; their numbers hardly ever change.
      std::vector<OpId> origins{node.id};
      if (node.id >= 0)
        origins = (*there)->opsAt((*here)->op(node.id)->getLoc());
      for (OpId origin : origins)
        if (auto place = places.find(origin); place != places.end()) {
          hints[node.id] = place->second;
          break;
        }
    }
  return hints;
}

llvm::Expected<std::shared_ptr<const Scene>>
Document::scene(unsigned snapshot, SceneOptions options, const std::string &key, const std::atomic<bool> &cancelled) {
  const std::shared_ptr<const Snapshot> &of = this->snapshot(snapshot);
  std::string name = llvm::utohexstr(reinterpret_cast<uintptr_t>(of.get())) + ' ' + key;
  std::shared_ptr<const Picture> known = scenes_.find(name);
  if (known && known->of.lock() != of)
    known = nullptr; // another snapshot stands where that one was in memory
  bool isLayered = options.engine == LayoutEngine::Layered, isForScreen = !options.openAll;
  if (!known) {
    if (isForScreen && shown_ && isLayered && shownIsLayered_)
      options.hints = hintsFor(snapshot);
    auto graph = this->graph(snapshot);
    if (!graph)
      return graph.takeError();
    auto built = buildScene(**graph, options, &cancelled);
    if (!built)
      return built.takeError();
    for (size_t d = 0; d < built->dispatchHues.size(); ++d)
      built->dispatchHues[d] = hues_.of(built->dispatchLocs[d], static_cast<unsigned>(d));
    uint64_t cost = built->nodes.size() + built->clusters.size();
    for (const SceneEdge &edge : built->edges)
      cost += edge.points.size() + 1;
    known = std::make_shared<const Picture>(Picture{.of = of, .scene = std::move(*built)});
    scenes_.insert(name, known, cost);
  }
  if (!isForScreen)
    return std::shared_ptr<const Scene>(known, &known->scene);
  if (isLayered)
    placesOf(snapshot).note(known->scene);
  shown_ = std::shared_ptr<const Scene>(known, &known->scene);
  shownSnapshot_ = snapshot;
  shownIsLayered_ = isLayered;
  return shown_;
}

} // namespace fuselage
