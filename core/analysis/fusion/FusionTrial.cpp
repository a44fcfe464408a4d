#include "core/analysis/fusion/FusionTrial.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/ops/Payload.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "core/transforms/places/OutlinedPlace.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {

//===-- Marks ------------------------------------------------------------------------------===//

/// The file of locations that are marks; the line is the mark. Passes carry locations along and fuse them.
constexpr llvm::StringLiteral markFile = "fuselage.mark";

/// Gives every op a mark; an op and its payload share one. Equal functions get equal marks.
static void forEachMark(Operation *function, llvm::function_ref<void(Operation *, OpMark)> visit) {
  OpMark next = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    OpMark mark = next++;
    visit(op, mark);
    if (!hasPayloadRegion(op))
      return WalkResult::advance();
    for (Region &payload : op->getRegions())
      payload.walk([&](Operation *inner) { visit(inner, mark); });
    return WalkResult::skip();
  });
}

static void collectMarks(Location location, SmallVectorImpl<OpMark> &marks) {
  location->walk([&](Location part) {
    auto position = dyn_cast<FileLineColLoc>(part);
    if (position && position.getFilename().getValue() == markFile && !llvm::is_contained(marks, position.getLine()))
      marks.push_back(position.getLine());
    return WalkResult::advance();
  });
}

/// The ops whose work `op` does: its own, and those that were merged into it.
const MarkedVerdicts::Marks &MarkedVerdicts::marksOf(Operation *op) {
  auto [entry, isNew] = marks_.try_emplace(op);
  if (!isNew)
    return entry->second;
  Marks marks;
  collectMarks(op->getLoc(), marks);
  if (hasPayloadRegion(op))
    op->walk([&](Operation *inner) { collectMarks(inner->getLoc(), marks); });
  // Reshapes and the like that passes leave in an op's place carry its location, and do none of its work.
  if (findViewed(op) || isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
    llvm::erase_if(marks, [&](OpMark mark) { return (*ops_)[mark].computes; });
  return marks_[op] = std::move(marks);
}

/// How the ops hang together; `marks` holds payloads' ops, too.
static MarkedOps describe(Operation *function, const llvm::DenseMap<Operation *, OpMark> &marks) {
  MarkedOps ops;
  auto markOf = [&](Operation *op) {
    auto found = op ? marks.find(op) : marks.end();
    return found == marks.end() ? std::nullopt : std::optional(found->second);
  };
  forEachMark(function, [&](Operation *op, OpMark mark) {
    if (mark < ops.size())
      return; // of a payload
    MarkedOp &entry = ops.emplace_back();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    OpOperand *viewed = findViewed(op), *moved = linalgOp ? findMovedInput(linalgOp) : nullptr;
    entry.isView = viewed;
    entry.computes = isComputeOp(op);
    entry.isMove = moved;
    if (OpOperand *source = viewed ? viewed : moved)
      entry.source = markOf(source->get().getDefiningOp());
    for (Operation *user : op->getUsers()) {
      if (findSizeSource(user) || isa<tensor::DimOp>(user))
        continue;
      entry.escapes |= user->hasTrait<OpTrait::IsTerminator>();
      if (std::optional<OpMark> reader = markOf(user); reader && !llvm::is_contained(entry.users, *reader))
        entry.users.push_back(*reader);
    }
  });
  return ops;
}

//===-- Verdicts ---------------------------------------------------------------------------===//

MarkedVerdicts::MarkedVerdicts(OwningOpRef<ModuleOp> module, std::shared_ptr<const MarkedOps> ops,
                               const FusionPolicy &policy, JudgedFor purpose)
    : ops_(std::move(ops)), module_(std::move(module)), bodies_(judgeFusion(*module_, policy, purpose)) {
  for (const BodyVerdicts &body : bodies_) {
    addPlaces(body, dispatches_);
    addEdges(body);
    dispatches_ += body.dispatches.size();
    body.function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpMark mark : marksOf(op))
        holders_[mark].push_back(op);
      return hasPayloadRegion(op) ? WalkResult::skip() : WalkResult::advance();
    });
  }
}

/// Which dispatches an op is in: those of the plan, or the one around it.
void MarkedVerdicts::addPlaces(const BodyVerdicts &body, unsigned first) {
  for (const JudgedDispatch &dispatch : body.dispatches)
    for (Operation *op : dispatch.ops)
      op->walk([&](Operation *inner) { places_[inner].push_back(first + (&dispatch - body.dispatches.data())); });
  unsigned next = first;
  body.function->walk([&](flow::DispatchRegionOp region) {
    region->walk([&](Operation *op) { places_[op].push_back(next); });
    ++next;
  });
}

void MarkedVerdicts::addEdges(const BodyVerdicts &body) {
  for (const EdgeVerdict &edge : body.edges) {
    separate_ += edge.verdict == Verdict::Separate;
    stored_ += edge.verdict == Verdict::Separate && edge.bytes != 0;
    // What leaves or enters a dispatch is what an op inside computes or reads.
    llvm::SmallSetVector<OpMark, 4> from, to;
    for (Operation *op : {edge.from, edge.edge.producer()})
      from.insert_range(marksOf(op));
    for (Operation *op : {edge.to, edge.edge.consumer})
      to.insert_range(marksOf(op));
    for (OpMark mark : from)
      edgesFrom_[mark].push_back(&edge);
    for (OpMark mark : to)
      edgesTo_[mark].push_back(&edge);
    if (findViewed(edge.to))
      edgesToView_[edge.to].push_back(&edge);
  }
}

/// The edges on the ways from one to the other on which there are only views. From the consumer upwards: it
/// has few operands, a value may have many users.
MarkedVerdicts::Edges MarkedVerdicts::edgesBetween(OpMark producer, OpMark consumer) const {
  Edges edges;
  auto found = edgesTo_.find(consumer);
  if (found == edgesTo_.end())
    return edges;
  SmallVector<Edges> pending;
  for (const EdgeVerdict *edge : found->second)
    // What became one op with the consumer feeds the rest of what the consumer was.
    if (!holds(edge->from, consumer))
      pending.push_back({edge});
  while (!pending.empty()) {
    Edges way = pending.pop_back_val();
    const EdgeVerdict *first = way.back();
    if (holds(first->from, producer) || holds(first->edge.producer(), producer)) {
      llvm::append_range(edges, way);
      continue;
    }
    if (auto upwards = edgesToView_.find(first->from); upwards != edgesToView_.end())
      for (const EdgeVerdict *next : upwards->second) {
        way.push_back(next);
        pending.push_back(way);
        way.pop_back();
      }
  }
  return edges;
}

SmallVector<const EdgeVerdict *> MarkedVerdicts::separateEdges(OpMark producer, OpMark consumer) const {
  Marks consumers;
  addComputingConsumers(consumer, consumers);
  std::optional<OpMark> source = computingProducer(producer);
  Edges separate;
  for (OpMark from : {producer, source.value_or(producer)})
    for (OpMark to : llvm::concat<const OpMark>(ArrayRef(consumer), consumers))
      for (const EdgeVerdict *edge : edgesBetween(from, to))
        if (edge->verdict == Verdict::Separate && !llvm::is_contained(separate, edge))
          separate.push_back(edge);
  return separate;
}

bool MarkedVerdicts::areMerged(OpMark producer, OpMark consumer) const {
  SmallVector<Operation *, 1> producers = holders_.lookup(producer);
  return llvm::any_of(holders_.lookup(consumer), [&](Operation *op) { return llvm::is_contained(producers, op); });
}

/// Whether the consumer's work is done where the producer's is, wherever it is done.
bool MarkedVerdicts::shareDispatch(OpMark producer, OpMark consumer) const {
  llvm::SmallDenseSet<unsigned> shared;
  for (Operation *op : holders_.lookup(producer))
    for (unsigned place : places_.lookup(op))
      shared.insert(place);
  bool isAnywhere = false;
  for (Operation *op : holders_.lookup(consumer)) {
    SmallVector<unsigned, 1> places = places_.lookup(op);
    if (!llvm::all_of(places, [&](unsigned place) { return shared.contains(place); }))
      return false;
    isAnywhere |= !places.empty();
  }
  return isAnywhere;
}

/// Edges through memory into what does the consumer's work.
unsigned MarkedVerdicts::storedInputs(OpMark consumer) const {
  return llvm::count_if(edgesTo_.lookup(consumer), [&](const EdgeVerdict *edge) {
    return edge->verdict == Verdict::Separate && edge->bytes != 0 && !holds(edge->from, consumer);
  });
}

//===-- What became of an edge -------------------------------------------------------------===//

/// The op that computes what `mark` views; none if that is an argument.
std::optional<OpMark> MarkedVerdicts::computingProducer(OpMark mark) const {
  std::optional<OpMark> found = mark;
  while (found && (*ops_)[*found].isView)
    found = (*ops_)[*found].source;
  return found;
}

/// The ops that compute with what `mark` views. False: it also leaves the function as it is.
bool MarkedVerdicts::addComputingConsumers(OpMark mark, Marks &consumers) const {
  const MarkedOp &op = (*ops_)[mark];
  if (!op.isView) {
    if (!llvm::is_contained(consumers, mark))
      consumers.push_back(mark);
    return true;
  }
  bool isAll = !op.escapes;
  for (OpMark user : op.users)
    isAll &= addComputingConsumers(user, consumers);
  return isAll;
}

/// Of two ops of which at least one is gone without a trace, as copies and transposes are that passes
/// find needless: whether those that read it now read what it read.
bool MarkedVerdicts::isLeftOut(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const {
  if (stored_ >= before.stored_)
    return false;
  Marks consumers;
  if (exists(consumer)) {
    consumers.push_back(consumer);
  } else if ((*ops_)[consumer].isMove && !(*ops_)[consumer].escapes) {
    for (OpMark user : (*ops_)[consumer].users)
      if (!addComputingConsumers(user, consumers))
        return false;
  }
  if (consumers.empty() || (!exists(producer) && !(*ops_)[producer].isMove))
    return false;
  std::optional<OpMark> source = producer;
  if (!exists(producer))
    source = (*ops_)[producer].source ? computingProducer(*(*ops_)[producer].source) : std::nullopt;
  return llvm::all_of(consumers, [&](OpMark reader) {
    if (!source) // it only moved an argument
      return storedInputs(reader) < before.storedInputs(reader);
    return exists(*source) && exists(reader) &&
           (areMerged(*source, reader) || shareDispatch(*source, reader) || !edgesBetween(*source, reader).empty());
  });
}

/// Whether an edge at the producer or after the consumer that was fused before goes through memory now:
/// what was to be saved is only stored elsewhere then.
bool MarkedVerdicts::isAtOthersExpense(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const {
  auto isBroken = [&](const EdgeVerdict *edge) {
    if (edge->verdict == Verdict::Separate || !isComputeOp(edge->from) || isCheapProducer(edge->from) ||
        !isComputeOp(edge->to))
      return false;
    return llvm::any_of(before.marks_.at(edge->from), [&](OpMark from) {
      return llvm::any_of(before.marks_.at(edge->to), [&](OpMark to) {
        return llvm::any_of(edgesBetween(from, to), [](const EdgeVerdict *now) {
          return now->verdict == Verdict::Separate && now->bytes != 0;
        });
      });
    });
  };
  auto edgesOf = [](const llvm::DenseMap<OpMark, Edges> &edges, OpMark mark) {
    auto found = edges.find(mark);
    return found == edges.end() ? ArrayRef<const EdgeVerdict *>() : ArrayRef(found->second);
  };
  return llvm::any_of(edgesOf(before.edgesTo_, producer), isBroken) ||
         llvm::any_of(edgesOf(before.edgesTo_, consumer), isBroken) ||
         llvm::any_of(edgesOf(before.edgesFrom_, consumer), isBroken);
}

bool MarkedVerdicts::arePairFused(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const {
  if (isAtOthersExpense(producer, consumer, before))
    return false;
  if (!exists(producer) || !exists(consumer))
    return isLeftOut(producer, consumer, before);
  Edges edges = edgesBetween(producer, consumer);
  if (llvm::any_of(edges, [](const EdgeVerdict *edge) { return edge->verdict == Verdict::Separate; }))
    return false;
  return !edges.empty() || areMerged(producer, consumer) || shareDispatch(producer, consumer);
}

bool MarkedVerdicts::isFused(OpMark producer, OpMark consumer, const MarkedVerdicts &before) const {
  bool isLess = dispatches_ < before.dispatches_ || stored_ < before.stored_ || separate_ < before.separate_;
  if (dispatches_ > before.dispatches_ || !isLess)
    return false;
  std::optional<OpMark> source = computingProducer(producer);
  Marks consumers;
  return source && addComputingConsumers(consumer, consumers) && !consumers.empty() &&
         llvm::all_of(consumers, [&](OpMark reader) { return arePairFused(*source, reader, before); });
}

//===-- Trials -----------------------------------------------------------------------------===//

/// Copies of what the ops in `op` refer to by name: functions without their bodies, unless they are
/// dispatches, everything else as it is.
static void cloneReferenced(Operation *op, Operation *table, OpBuilder &builder, llvm::DenseSet<Operation *> &done) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(op);
  if (!uses)
    return;
  for (const SymbolTable::SymbolUse &use : *uses) {
    Operation *symbol = SymbolTable::lookupSymbolIn(table, use.getSymbolRef().getRootReference());
    if (!symbol || !done.insert(symbol).second)
      continue;
    if (auto function = dyn_cast<func::FuncOp>(symbol); function && !function->hasAttr(kDispatchAttr)) {
      cast<func::FuncOp>(builder.insert(function->cloneWithoutRegions())).setPrivate();
    } else {
      builder.clone(*symbol);
      cloneReferenced(symbol, table, builder, done);
    }
  }
}

FusionTrial::FusionTrial(func::FuncOp function, llvm::DenseMap<Operation *, OpMark> &marks, Operation *table)
    : module_(ModuleOp::create(function.getLoc())) {
  OpBuilder builder(module_->getBodyRegion());
  Operation *copy = builder.clone(*function);
  llvm::DenseSet<Operation *> done{function};
  if (!table)
    table = function->getParentWithTrait<OpTrait::SymbolTable>();
  if (table)
    cloneReferenced(function, table, builder, done);
  forEachMark(function, [&](Operation *op, OpMark mark) { marks.insert({op, mark}); });
  ops_ = std::make_shared<const MarkedOps>(describe(function, marks));
  auto file = builder.getStringAttr(markFile);
  forEachMark(copy, [&](Operation *op, OpMark mark) { op->setLoc(FileLineColLoc::get(file, mark, 0)); });
}

llvm::Error FusionTrial::run(llvm::StringRef passes) { return runFusionPipeline(*module_, functionPipeline(passes)); }

llvm::Error FusionTrial::runAt(OpMark from, OpMark to, unsigned reach, llvm::StringRef passes) {
  Operation *producer = nullptr, *consumer = nullptr;
  module_.get()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<OpMark, 2> marks;
    collectMarks(op->getLoc(), marks);
    if (!producer && llvm::is_contained(marks, from))
      producer = op;
    if (!consumer && llvm::is_contained(marks, to))
      consumer = op;
  });
  if (!producer || !consumer)
    return fail("the edge is not there any more");
  return fuseAt(producer, consumer, reach, passes);
}

llvm::Expected<MarkedVerdicts> FusionTrial::judge(const FusionPolicy &policy, JudgedFor purpose, bool formed) const {
  OwningOpRef<ModuleOp> copy(module_.get().clone());
  if (llvm::Error error = completeDispatches(*copy, policy, formed))
    return error;
  return MarkedVerdicts(std::move(copy), ops_, policy, purpose);
}

bool FusionTrial::hasDispatchRegions() const { return fuselage::hasDispatchRegions(module_.get()); }

uint64_t FusionTrial::fingerprint() const { return fingerprintOf(module_.get()); }

} // namespace fuselage
