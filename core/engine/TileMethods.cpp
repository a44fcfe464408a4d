// tiles/*.
#include "core/protocol/methods/TileMethods.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/analysis/tiles/TileSequence.h"
#include "core/analysis/tiles/TileTrace.h"
#include "core/device/TargetOptions.h"
#include "core/engine/MethodTable.h"
#include "core/graph/build/DispatchSummary.h"
#include "core/run/SizedModule.h"
#include "core/transforms/workgroups/strategy/SuggestedTile.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// A chain costs as much to build as a footprint, and a slider asks for the same one again and again.
struct ExploredOp {
  std::shared_ptr<OpIndex> index; ///< keeps the module in memory
  OpId id = 0;
  bool fuse = false;
  std::set<int64_t> kept{};
  ArgumentSizes given{};
  std::shared_ptr<SizedModule> sized{};
  TileChain chain;
};

namespace {

/// What all methods are asked: an op of a snapshot, and how it is fused.
struct Subject {
  std::shared_ptr<OpIndex> index;
  OpId id = 0;
  bool fuse = false;
  std::set<int64_t> kept{};
  ArgumentSizes given{};                ///< of dynamic dimensions
  std::shared_ptr<SizedModule> sized{}; ///< null: nothing is dynamic

  /// With the sizes that are given, where some are dynamic.
  mlir::Operation *op() const { return explored(index->op(id)); }
  mlir::Operation *explored(mlir::Operation *shown) const {
    mlir::Operation *copy = sized ? sized->copyOf(shown) : nullptr;
    return copy ? copy : shown;
  }
  /// In the snapshot, whichever is explored; of what has no like there, the op around it.
  OpId idOf(mlir::Operation *op) const {
    if (!sized)
      return index->idOf(op);
    for (; op; op = op->getParentOp())
      if (mlir::Operation *shown = sized->originalOf(op))
        return index->idOf(shown);
    return id;
  }
  std::string nameOf(mlir::Value value) const {
    mlir::Value shown = sized ? sized->originalOf(value) : value;
    return shown ? index->nameOf(shown) : "";
  }
};

/// Gives dynamic dimensions their sizes; the same copy as the last time, where it is about the same. Where none can be
/// given, the op stays as it is, and exploring it says so.
void giveSizes(Engine &engine, Subject &subject) {
  std::shared_ptr<ExploredOp> &last = engine.current->extension<ExploredOp>();
  if (last && last->index == subject.index && last->id == subject.id && last->given == subject.given) {
    subject.sized = last->sized;
    return;
  }
  auto sized = SizedModule::around(subject.index->op(subject.id), subject.given);
  if (sized)
    subject.sized = std::move(*sized);
  else
    llvm::consumeError(sized.takeError());
}

/// "sizes: arg0.0 = 32, arg1.1 = 64"
std::string sizesNote(const SizedModule &sized) {
  std::string text = "dynamic sizes:";
  for (const auto &[name, size] : sized.sizes())
    text += (text.back() == ':' ? " " : ", ") + name + " = " + std::to_string(size);
  return text;
}

llvm::Expected<Subject> subjectOf(Engine &engine, const IndexedSnapshot &asked, const method::TiledOp<> &wanted) {
  Subject subject{.index = asked.index, .id = wanted.id, .fuse = wanted.fuse, .given = wanted.dimensions};
  if (llvm::Error error = checkRange("id", subject.id, INT64_MIN, subject.index->count() - 1))
    return error;
  subject.kept = {wanted.kept.begin(), wanted.kept.end()};
  for (OpId id : subject.kept)
    if (id < 0 || id >= subject.index->count())
      return llvm::make_error<RpcError>(RpcCode::InvalidParams, "parameter 'kept' names no op of this snapshot");
  if (isPlannedCluster(subject.id) && plannedClusterBase - subject.id < subject.index->count())
    subject.id = plannedClusterBase - subject.id; // a dispatch that would be formed: its root op
  if (subject.id < 0)
    return fail("this is a value, not an op: select an op that computes something");
  if (DispatchSummaries::isDispatchFunction(subject.op()) ||
      subject.op()->getName().getStringRef() == "flow.dispatch.region")
    if (mlir::Operation *root = findDispatchRoot(subject.op()))
      subject.id = subject.index->idOf(root);
  giveSizes(engine, subject);
  return subject;
}

llvm::Expected<const TileChain *> chainOf(Engine &engine, const Subject &subject) {
  std::shared_ptr<ExploredOp> &explored = engine.current->extension<ExploredOp>();
  ExploredOp *known = explored.get();
  if (known && known->index == subject.index && known->id == subject.id && known->fuse == subject.fuse &&
      known->kept == subject.kept && known->given == subject.given && known->sized == subject.sized)
    return &known->chain;
  ChainOptions options{.fuse = subject.fuse, .kept = {}};
  for (OpId id : subject.kept)
    options.kept.insert(subject.explored(subject.index->op(id)));
  auto chain = TileChain::build(subject.op(), options);
  if (!chain)
    return chain.takeError();
  explored = std::make_shared<ExploredOp>(ExploredOp{.index = subject.index,
                                                     .id = subject.id,
                                                     .fuse = subject.fuse,
                                                     .kept = subject.kept,
                                                     .given = subject.given,
                                                     .sized = subject.sized,
                                                     .chain = std::move(*chain)});
  return &explored->chain;
}

/// Sizes that the default pipeline would start from.
llvm::SmallVector<int64_t> suggestedSizes(const AccessModel &root) {
  auto tiling = mlir::dyn_cast<mlir::TilingInterface>(root.op);
  return tiling ? suggestedTile(tiling, root.domain)
                : llvm::SmallVector<int64_t>(root.domain.begin(), root.domain.end());
}

message::TileOp<> describe(mlir::Operation *op, const Subject &subject) {
  return {.id = subject.idOf(op),
          .op = op->getName().getStringRef().str(),
          .name = op->getNumResults() ? subject.nameOf(op->getResult(0)) : ""};
}

llvm::Expected<message::TileDomain<>> domain(Engine &engine, const IndexedSnapshot &asked,
                                             const method::TileDomain::Request<> &request) {
  auto subject = subjectOf(engine, asked, request.op);
  if (!subject)
    return subject.takeError();
  auto chain = chainOf(engine, *subject);
  message::TileDomain<> message{.op = describe(subject->op(), *subject),
                                .why = chain ? "" : takeFailure(chain.takeError()).message,
                                .loops = {},
                                .producers = {},
                                .canTrace = mlir::isa<mlir::TilingInterface>(subject->op())};
  if (!chain)
    return message;
  const AccessModel &root = (*chain)->root();
  llvm::SmallVector<int64_t> suggested = suggestedSizes(root);
  for (size_t loop = 0; loop < root.domain.size(); ++loop) {
    llvm::SmallVector<int64_t> divisors = divisorsOf(root.domain[loop]);
    message.loops.push_back({.name = "d" + std::to_string(loop),
                             .isReduction = root.iterators[loop] == mlir::utils::IteratorType::reduction,
                             .range = root.domain[loop],
                             .divisors = {divisors.begin(), divisors.end()},
                             .suggested = suggested[loop]});
  }
  for (const ChainNode &node : llvm::drop_begin((*chain)->nodes))
    message.producers.push_back(describe(node.access->op, *subject));
  return message;
}

llvm::Expected<message::TileReport<>> footprint(Engine &engine, const IndexedSnapshot &asked,
                                                const method::TileFootprint::Request<> &request) {
  auto subject = subjectOf(engine, asked, request.op);
  if (!subject)
    return subject.takeError();
  TileRequest tile{.sizes = llvm::to_vector(request.sizes),
                   .tile = llvm::to_vector(request.tile),
                   .order = llvm::to_vector(request.order),
                   .snap = request.snap};
  tile.workgroupLimit = request.limit.value_or(int64_t(TargetOptions().maxSharedBytes()));
  tile.device = request.device;
  tile.cache = request.cache;
  tile.budget = 2000; // a slider waits for the answer
  auto chain = chainOf(engine, *subject);
  if (!chain)
    return chain.takeError();
  auto report = reportTile(**chain, tile);
  if (!report)
    return report.takeError();
  if (subject->sized)
    report->notes.push_back(sizesNote(*subject->sized));
  return messageOf(*report, {.value = [&](mlir::Value value) { return subject->nameOf(value); },
                             .op = [&](mlir::Operation *op) { return subject->idOf(op); }});
}

/// As footprints understand sizes and orders, which are checked.
llvm::Expected<llvm::SmallVector<int64_t>> usedSizes(const TileChain &chain, llvm::ArrayRef<int64_t> sizes,
                                                     llvm::ArrayRef<int64_t> order) {
  auto report =
      reportTile(chain, {.sizes = llvm::to_vector(sizes), .tile = {}, .order = llvm::to_vector(order), .budget = 1});
  if (!report)
    return report.takeError();
  return llvm::map_to_vector(report->loops, [](const ReportedLoop &loop) { return loop.size; });
}

llvm::Expected<message::TileSequence<>> sequence(Engine &engine, const IndexedSnapshot &asked,
                                                 const method::TileSequence::Request<> &request) {
  auto subject = subjectOf(engine, asked, request.op);
  if (!subject)
    return subject.takeError();
  auto chain = chainOf(engine, *subject);
  if (!chain)
    return chain.takeError();
  llvm::SmallVector<int64_t> order = llvm::to_vector(request.order);
  auto sizes = usedSizes(**chain, llvm::to_vector(request.sizes), order);
  return sizes ? sequenceOf(**chain, *sizes, order, request.most)
               : llvm::Expected<message::TileSequence<>>(sizes.takeError());
}

llvm::Expected<message::TileTrace<>> trace(Engine &engine, const IndexedSnapshot &asked,
                                           const method::TraceTiling::Request<> &request) {
  auto subject = subjectOf(engine, asked, request.op);
  if (!subject)
    return subject.takeError();
  llvm::SmallVector<int64_t> sizes = llvm::to_vector(request.sizes), order = llvm::to_vector(request.order);
  auto chain = chainOf(engine, *subject);
  if (!chain)
    return chain.takeError();
  auto used = usedSizes(**chain, sizes, order);
  if (!used)
    return used.takeError();
  sizes = std::move(*used);
  for (auto [size, range] : llvm::zip_equal(sizes, (*chain)->root().domain))
    size = size == range ? 0 : size;
  auto traced = traceTiling(
      subject->op(), sizes, order,
      [&](mlir::Operation *producer) { return subject->fuse && !subject->kept.count(subject->idOf(producer)); },
      [&](mlir::Value value) { return llvm::json::fixUTF8(subject->nameOf(value)); });
  if (!traced)
    return traced.takeError();
  return std::move(*traced);
}

} // namespace

void addTileMethods(MethodTable &table) {
  addMethod<method::TileDomain, domain>(table);
  addMethod<method::TileFootprint, footprint>(table);
  addMethod<method::TileSequence, sequence>(table);
  addMethod<method::TraceTiling, trace>(table);
}

} // namespace fuselage
