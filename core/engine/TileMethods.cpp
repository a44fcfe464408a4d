// tiles/*.
#include "core/analysis/tiles/TileReport.h"
#include "core/analysis/tiles/TileTrace.h"
#include "core/codegen/Kernel.h"
#include "core/engine/Engine.h"
#include "core/graph/build/DispatchSummary.h"
#include "core/transforms/workgroups/TilingPolicy.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// A chain costs as much to build as a footprint, and a slider asks for the same one again and again.
struct ExploredOp {
  std::shared_ptr<OpIndex> index; ///< keeps the module in memory
  OpId id = 0;
  bool fuse = false;
  std::set<int64_t> kept{};
  TileChain chain;
};

namespace {

/// What all methods are asked: an op of a snapshot, and how it is fused.
struct Subject {
  std::shared_ptr<OpIndex> index;
  OpId id = 0;
  bool fuse = false;
  std::set<int64_t> kept{};
  mlir::Operation *op() const { return index->op(id); }
};

llvm::Expected<Subject> readSubject(Engine &engine, Params &params) {
  auto asked = indexedSnapshotParam(engine, params);
  if (!asked)
    return asked.takeError();
  Subject subject{.index = asked->index};
  subject.id = params.integer("id", INT64_MIN, subject.index->count() - 1);
  subject.fuse = params.boolean("fuse", true);
  subject.kept = params.integers("kept");
  for (OpId id : subject.kept)
    if (id < 0 || id >= subject.index->count())
      return llvm::make_error<RpcError>(RpcCode::InvalidParams, "parameter 'kept' names no op of this snapshot");
  if (llvm::Error error = params.check())
    return error;
  if (isPlannedCluster(subject.id) && plannedClusterBase - subject.id < subject.index->count())
    subject.id = plannedClusterBase - subject.id; // a dispatch that would be formed: its root op
  if (subject.id < 0)
    return fail("this is a value, not an op: select an op that computes something");
  if (DispatchSummaries::isDispatchFunction(subject.op()) || subject.op()->getName().getStringRef() == "flow.dispatch.region")
    if (mlir::Operation *root = findDispatchRoot(subject.op()))
      subject.id = subject.index->idOf(root);
  return subject;
}

llvm::Expected<const TileChain *> chainOf(Engine &engine, const Subject &subject) {
  std::shared_ptr<ExploredOp> &explored = engine.current->explored();
  ExploredOp *known = explored.get();
  if (known && known->index == subject.index && known->id == subject.id && known->fuse == subject.fuse &&
      known->kept == subject.kept)
    return &known->chain;
  ChainOptions options{.fuse = subject.fuse, .kept = {}};
  for (OpId id : subject.kept)
    options.kept.insert(subject.index->op(id));
  auto chain = TileChain::build(subject.op(), options);
  if (!chain)
    return chain.takeError();
  explored = std::make_shared<ExploredOp>(ExploredOp{.index = subject.index,
                                                     .id = subject.id,
                                                     .fuse = subject.fuse,
                                                     .kept = subject.kept,
                                                     .chain = std::move(*chain)});
  return &explored->chain;
}

/// Sizes that the default pipeline would start from.
llvm::SmallVector<int64_t> suggestedSizes(const AccessModel &root) {
  auto tiling = mlir::dyn_cast<mlir::TilingInterface>(root.op);
  return tiling ? suggestedTile(tiling, root.domain) : llvm::SmallVector<int64_t>(root.domain.begin(), root.domain.end());
}

message::TileOp<> describe(mlir::Operation *op, const Subject &subject) {
  return {.id = subject.index->idOf(op),
          .op = op->getName().getStringRef().str(),
          .name = op->getNumResults() ? subject.index->nameOf(op->getResult(0)) : ""};
}

llvm::Expected<llvm::json::Value> domain(Engine &engine, Params &params) {
  auto subject = readSubject(engine, params);
  if (!subject)
    return subject.takeError();
  auto chain = chainOf(engine, *subject);
  message::TileDomain<> message{.op = describe(subject->op(), *subject),
                                .why = chain ? "" : takeFailure(chain.takeError()).message,
                                .loops = {},
                                .producers = {},
                                .canTrace = mlir::isa<mlir::TilingInterface>(subject->op())};
  if (!chain)
    return message::encode(message);
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
  return message::encode(message);
}

llvm::Expected<llvm::json::Value> footprint(Engine &engine, Params &params) {
  auto subject = readSubject(engine, params);
  if (!subject)
    return subject.takeError();
  TileRequest request{.sizes = params.integerList("sizes"),
                      .tile = params.integerList("tile"),
                      .order = params.integerList("order"),
                      .snap = params.boolean("snap", false)};
  constexpr int64_t anyBytes = int64_t(1) << 40;
  request.workgroupLimit = params.integer("limit", 0, anyBytes, int64_t(TargetOptions().maxSharedBytes));
  request.device = params.string("device", "");
  request.budget = 2000; // a slider waits for the answer
  if (llvm::Error error = params.check())
    return error;
  auto chain = chainOf(engine, *subject);
  if (!chain)
    return chain.takeError();
  auto report = reportTile(**chain, request);
  if (!report)
    return report.takeError();
  return message::encode(
      messageOf(*report, {.value = [&](mlir::Value value) { return subject->index->nameOf(value); },
                          .op = [&](mlir::Operation *op) { return subject->index->idOf(op); }}));
}

llvm::Expected<llvm::json::Value> trace(Engine &engine, Params &params) {
  auto subject = readSubject(engine, params);
  if (!subject)
    return subject.takeError();
  llvm::SmallVector<int64_t> sizes = params.integerList("sizes"), order = params.integerList("order");
  if (llvm::Error error = params.check())
    return error;
  auto chain = chainOf(engine, *subject);
  if (!chain)
    return chain.takeError();
  // As footprints understand sizes; the report checks them, too.
  auto report = reportTile(**chain, {.sizes = sizes, .tile = {}, .order = order, .budget = 1});
  if (!report)
    return report.takeError();
  sizes.clear();
  for (const ReportedLoop &loop : report->loops)
    sizes.push_back(loop.size == loop.range ? 0 : loop.size);
  auto traced = traceTiling(
      subject->op(), sizes, order,
      [&](mlir::Operation *producer) { return subject->fuse && !subject->kept.count(subject->index->idOf(producer)); },
      [&](mlir::Value value) { return llvm::json::fixUTF8(subject->index->nameOf(value)); });
  if (!traced)
    return traced.takeError();
  return message::encode(*traced);
}

} // namespace

void addTileMethods(MethodTable &table) {
  table["tiles/domain"] = domain;
  table["tiles/footprint"] = footprint;
  table["tiles/trace"] = trace;
}

} // namespace fuselage
