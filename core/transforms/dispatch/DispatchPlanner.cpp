// How groups grow. Why others do not is in DispatchRefusals.cpp.
#include "core/transforms/dispatch/DispatchPlanner.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/transforms/dispatch/DispatchSizes.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;

/// Ops whose bodies are one op's payload, run as one kernel already, or are no tensors' business.
static bool isOpaque(Operation *op) {
  return isa<linalg::LinalgOp, scf::ForallOp, scf::ParallelOp>(op) || isComputeOp(op) ||
         decode(op).role == OpRole::DispatchRegion;
}

DispatchPlanner::DispatchPlanner(Region &body, const FusionPolicy &policy) : policy_(policy) {
  for (Block &block : body)
    block.walk<WalkOrder::PreOrder>([&](Operation *op) {
      order_[op] = ops_.size();
      ops_.push_back(op);
      return isOpaque(op) ? WalkResult::skip() : WalkResult::advance();
    });
  for (Operation *op : ops_)
    if (factsOf(op).isCompute && llvm::any_of(op->getUsers(), [&](Operation *user) {
          OpFacts facts = factsOf(user);
          return !facts.isCompute && !facts.isCheap && !findSizeSource(user);
        }))
      wanted_.insert(op);
  if (policy_.fuseElementwise)
    fuseElementwise();
}

//===-- What is computed again by its readers ---------------------------------------===//

/// A copy that is stored anyhow: a reshape reads it, say.
bool DispatchPlanner::isStoredCopy(Operation *op) const {
  return factsOf(op).isCopy && (!policy_.cloneCopies || wanted_.contains(op));
}

/// Asked once for every use of a value, and not cheap to find out.
bool DispatchPlanner::isCheapClone(Operation *op) const {
  auto lock = lockTables();
  auto [entry, isNew] = cheapClones_.try_emplace(op, false);
  if (isNew)
    entry->second =
        policy_.cloneCheapProducers &&
        ((factsOf(op).isCheap && !isStoredCopy(op)) ||
         (policy_.cloneDequantizations && (isDequantization(op) || (isWidening(op) && !wanted_.contains(op)))));
  return entry->second;
}

DispatchPlanner::OpFacts DispatchPlanner::factsOf(Operation *op) const {
  auto lock = lockTables();
  auto [entry, isNew] = shapeOf_.try_emplace(op, 0);
  if (isNew) {
    entry->second = shapes_.of(op);
    if (static_cast<size_t>(entry->second) == facts_.size())
      facts_.push_back({.isCompute = isComputeOp(op),
                        .isCheap = isCheapProducer(op),
                        .isCopy = isPlainCopy(op) || isScalarPad(op),
                        .isFill = isFill(op),
                        .kind = kindOf(op)});
  }
  return facts_[entry->second];
}

bool DispatchPlanner::isCloned(Operation *op) const { return absorbed_.contains(op) || isCheapClone(op); }

bool DispatchPlanner::isRecomputed(OpOperand &use) const {
  Operation *producer = use.get().getDefiningOp();
  return producer && (isFusedElementwise(use) || isCloned(producer));
}

/// Moves what it can into the payload of one consumer; producers came before, with all that is theirs.
void DispatchPlanner::fuseOperands(Operation *consumer) {
  llvm::SmallDenseSet<Value, 8> operands(consumer->operand_begin(), consumer->operand_end());
  for (OpOperand &use : consumer->getOpOperands()) {
    auto value = dyn_cast<OpResult>(use.get());
    if (!value || !order_.contains(value.getOwner()))
      continue;
    FusionEdge edge{.value = value, .use = &use, .consumer = consumer};
    if (!elementwiseRefusals(edge).empty() || !elementwisePolicyRefusals(edge, policy_).empty())
      continue;
    if (policy_.maxOperands > 0) {
      llvm::SmallDenseSet<Value, 8> merged = operands;
      merged.erase(value);
      const auto &inner = operandsOf_[value.getOwner()];
      merged.insert(inner.begin(), inner.end());
      if (static_cast<int64_t>(merged.size()) >= policy_.maxOperands) {
        overLimit_[&use] = merged.size();
        continue;
      }
      operands = std::move(merged);
    }
    fusedUses_.insert(&use);
  }
  if (policy_.maxOperands > 0)
    operandsOf_[consumer] = std::move(operands);
}

void DispatchPlanner::fuseElementwise() {
  for (Operation *op : ops_)
    if (isa<linalg::GenericOp>(op) && isComputeOp(op))
      fuseOperands(op);
  for (Operation *op : ops_)
    if (!op->use_empty() && llvm::all_of(op->getUses(), [&](OpOperand &use) {
          return isFusedElementwise(use) || findSizeSource(use.getOwner());
        }))
      absorbed_.insert(op);
}

//===-- Growing -----------------------------------------------------------------------===//

/// Whether the policy follows the users of the group's last op at all; `onlyUser` is set where it
/// follows just one of them.
bool DispatchPlanner::mayFollow(Operation *tail, Operation *&onlyUser) const {
  auto uses = llvm::make_filter_range(tail->getUses(), [](OpOperand &use) { return !findSizeSource(use.getOwner()); });
  bool isSingle = !uses.empty() && std::next(uses.begin()) == uses.end();
  if (isSingle || (policy_.fuseMultiUse && !policy_.needDominatingUse))
    return true;
  onlyUser = policy_.fuseMultiUse ? dominatingUser(tail) : nullptr;
  return onlyUser != nullptr;
}

/// The ops that could follow `tail`: elementwise, in its block, reading it directly or through
/// producers that are computed again. In program order; the first few suffice.
SmallVector<Operation *> DispatchPlanner::candidatesAfter(Operation *tail, unsigned number) {
  llvm::SmallSetVector<Operation *, 8> found;
  SmallVector<Operation *> pending{tail};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      if (user->getBlock() != tail->getBlock() || !order_.contains(user) || !seen.insert(user).second)
        continue;
      if (isCloned(user))
        pending.push_back(user);
      else if (!groupOf_.contains(user) && canFollow(user, factsOf(user).kind, policy_))
        found.insert(user);
    }
  }
  SmallVector<Operation *> candidates = found.takeVector();
  llvm::sort(candidates, [&](Operation *a, Operation *b) { return order_.at(a) < order_.at(b); });
  size_t most = policy_.maxCandidates;
  for (size_t late = most; late < candidates.size(); ++late)
    neverAsked_.insert({number, candidates[late]});
  candidates.truncate(std::min(candidates.size(), most));
  return candidates;
}

/// The map to the source of a pad of a map to its result. Tiles do not line up where it pads.
static AffineMap shiftPadded(tensor::PadOp pad, AffineMap map) {
  SmallVector<AffineExpr> exprs(map.getResults());
  for (auto [dim, low, high] : llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad()))
    if (!isZeroInteger(low) || !isZeroInteger(high))
      exprs[dim] = exprs[dim] - 1;
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

/// Collects the group's values that reading `value` through `map` reaches, looking through producers
/// that are computed again.
void DispatchPlanner::readsThrough(Value value, AffineMap map, const GrowingGroup &growing,
                                   SmallVectorImpl<GroupRead> &reads) const {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return;
  if (growing.contains(result.getOwner())) {
    reads.push_back({result, map});
    return;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(result.getOwner()); pad && isCloned(pad))
    return readsThrough(pad.getSource(), shiftPadded(pad, map), growing, reads);
  auto inner = dyn_cast<linalg::LinalgOp>(result.getOwner());
  if (!inner || !isCloned(inner))
    return;
  // Copies write by the identity, and what is fused elementwise by a permutation; fills read nothing.
  AffineMap written = inner.getIndexingMapMatchingResult(result);
  if (!written.isPermutation())
    return;
  AffineMap loops = inversePermutation(written).compose(map);
  for (OpOperand *input : inner.getDpsInputOperands())
    if (isa<ShapedType>(input->get().getType()))
      readsThrough(input->get(), inner.getMatchingIndexingMap(input).compose(loops), growing, reads);
}

/// The map from an op's loops to its result. Those of a softmax and of an unpack are the dimensions
/// of the result.
static AffineMap writtenMap(OpResult value) {
  if (auto producer = dyn_cast<linalg::LinalgOp>(value.getOwner()))
    return producer.getIndexingMapMatchingResult(value);
  return AffineMap::getMultiDimIdentityMap(cast<RankedTensorType>(value.getType()).getRank(), value.getContext());
}

/// Finds the consumer's loop for each of the root's tiled dimensions in one read.
std::optional<Refusal> DispatchPlanner::alignRead(const GroupRead &read, const GrowingGroup &growing,
                                                  SmallVectorImpl<int> &loops) const {
  auto refuse = [&](FusionReason reason, int clash) {
    return Refusal{.reason = reason,
                   .evidence = {.producerMap = writtenMap(read.value), .consumerMap = read.map, .clash = clash}};
  };
  if (int clash = findUnprojected(read.map); clash >= 0)
    return refuse(MapNotProjectedPermutation, clash);
  AffineMap written = writtenMap(read.value);
  for (auto [tile, producerLoop] : llvm::enumerate(growing.tileLoops.at(read.value.getOwner()))) {
    if (producerLoop < 0)
      continue;
    std::optional<unsigned> position = written.getResultPosition(getAffineDimExpr(producerLoop, written.getContext()));
    if (!position)
      return refuse(ProducerMoreParallel, -1);
    auto loop = dyn_cast<AffineDimExpr>(read.map.getResult(*position));
    if (!loop) {
      // Reading element 0 of all is reading all only where there is one.
      if (cast<RankedTensorType>(read.value.getType()).getDimSize(*position) != 1)
        return refuse(MapNotProjectedPermutation, *position);
      continue;
    }
    int found = loop.getPosition();
    if (loops[tile] >= 0 && loops[tile] != found)
      return refuse(ConflictingMaps, *position);
    loops[tile] = found;
  }
  return std::nullopt;
}

/// Finds the consumer's loops for every dimension of the root's result; refuses if its tiles would not
/// line up with the root's.
Refusals DispatchPlanner::alignLoops(linalg::LinalgOp consumer, const GrowingGroup &growing,
                                     SmallVectorImpl<int> &loops) const {
  SmallVector<GroupRead> reads;
  for (auto [operand, map] : llvm::zip_equal(consumer->getOperands(), consumer.getIndexingMapsArray()))
    readsThrough(operand, map, growing, reads);
  loops.assign(growing.tileLoops.at(growing.group.root).size(), -1);
  Refusals refusals;
  for (const GroupRead &read : reads) {
    Refusals outer;
    if (isa<linalg::LinalgOp>(read.value.getOwner()))
      outer = outerLoopRefusals(read.value, read.map, consumer, policy_);
    else if (policy_.needSameOuterLoops)
      outer.push_back({.reason = NotGeneric, .evidence = {.culprit = read.value.getOwner()}});
    if (outer.empty())
      if (std::optional<Refusal> refusal = alignRead(read, growing, loops))
        outer.push_back(*refusal);
    llvm::append_range(refusals, outer);
  }
  if (reads.empty())
    refusals.push_back({.reason = CapturedInBody, .evidence = {.culprit = consumer}});
  return refusals;
}

/// The same of any consumer: a pack or unpack takes whatever tiles it reads to their places.
Refusals DispatchPlanner::alignConsumer(Operation *consumer, const GrowingGroup &growing,
                                        SmallVectorImpl<int> &loops) const {
  if (auto structured = dyn_cast<linalg::LinalgOp>(consumer))
    return alignLoops(structured, growing, loops);
  loops.assign(growing.tileLoops.at(growing.group.root).size(), -1);
  Operation *source = consumer->getOperand(0).getDefiningOp();
  bool readsAnother = llvm::any_of(llvm::drop_begin(consumer->getOperands()), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && growing.contains(producer);
  });
  if (!source || !growing.contains(source) || readsAnother)
    return {{.reason = NotGeneric, .evidence = {.culprit = consumer}}};
  return {};
}

/// Whether the consumer's payload reads a value of the group, or what might be a clone of it: such
/// reads cannot be mapped to tiles.
bool DispatchPlanner::capturesGroup(Operation *consumer, const GrowingGroup &growing) const {
  bool captures = false;
  auto structured = dyn_cast<linalg::LinalgOp>(consumer);
  if (!structured)
    return false;
  structured.getBlock()->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        captures |= growing.contains(producer) || (isa<ShapedType>(operand.getType()) && isCloned(producer));
  });
  return captures;
}

/// What the dispatch would bind: tensors that it reads from outside, and results that others read.
std::optional<Refusal> DispatchPlanner::exceedsBindings(Operation *consumer, const GrowingGroup &growing) const {
  if (policy_.maxBindings == 0)
    return std::nullopt;
  SmallVector<Operation *> all(growing.group.ops);
  all.push_back(consumer);
  auto isInside = [&](Operation *op) { return op == consumer || growing.contains(op); };
  llvm::SmallDenseSet<Value, 16> bound;
  for (size_t next = 0; next < all.size(); ++next) {
    for (OpOperand &use : all[next]->getOpOperands()) {
      Operation *producer = use.get().getDefiningOp();
      if (!isa<ShapedType>(use.get().getType()) || (producer && isInside(producer)))
        continue;
      if (!producer || !isRecomputed(use))
        bound.insert(use.get());
      else if (!llvm::is_contained(all, producer))
        all.push_back(producer);
    }
    if (isInside(all[next]))
      for (Value result : all[next]->getResults())
        if (result.use_empty() || llvm::any_of(result.getUsers(), [&](Operation *user) { return !isInside(user); }))
          bound.insert(result);
  }
  int64_t count = bound.size();
  if (count <= policy_.maxBindings)
    return std::nullopt;
  return Refusal{.reason = BindingLimit, .evidence = {.count = count, .limit = policy_.maxBindings}};
}

DispatchOrder &DispatchPlanner::orderOf(Block *block) {
  std::unique_ptr<DispatchOrder> &order = blocks_[block];
  if (!order)
    order = std::make_unique<DispatchOrder>(
        *block, [&](Operation *op) { return isCloned(op); }, policy_.maxOrderEdges);
  return *order;
}

/// Finds and adds the next op of the group, which must read its last op: a dispatch ends in one op,
/// whose tiles decide. Sets the op's loops.
Operation *DispatchPlanner::addConsumer(const GrowingGroup &growing, SmallVectorImpl<int> &loops) {
  Operation *tail = growing.group.ops.back();
  Operation *onlyUser = nullptr;
  // What is packed is stored: its tiles are those of whoever reads it.
  if (isa<linalg::PackOp>(tail) || !mayFollow(tail, onlyUser))
    return nullptr;
  unsigned number = groupOf_.at(tail);
  for (Operation *candidate : candidatesAfter(tail, number)) {
    if (onlyUser && candidate != onlyUser && !isCloned(onlyUser))
      continue;
    if (!alignConsumer(candidate, growing, loops).empty() || capturesGroup(candidate, growing) ||
        exceedsBindings(candidate, growing))
      continue;
    std::optional<Refusal> obstacle = orderOf(candidate->getBlock()).tryMerge(tail, candidate);
    if (!obstacle)
      return candidate;
    badOrder_[{number, candidate}] = *obstacle;
  }
  return nullptr;
}

/// Adds, producers first, what is computed again before the group's ops.
void DispatchPlanner::collectClones(DispatchGroup &group) const {
  llvm::SmallSetVector<Operation *, 8> clones;
  llvm::SmallPtrSet<Operation *, 8> members(group.ops.begin(), group.ops.end());
  // An explicit stack: chains of copies may be long. An op is added when met the second time.
  SmallVector<std::pair<Operation *, bool>> pending;
  auto pushProducers = [&](Operation *op) {
    for (OpOperand &use : llvm::reverse(op->getOpOperands()))
      if (Operation *producer = use.get().getDefiningOp();
          producer && isRecomputed(use) && !members.contains(producer) && !clones.contains(producer))
        pending.push_back({producer, false});
  };
  for (Operation *op : llvm::reverse(group.ops))
    pushProducers(op);
  while (!pending.empty()) {
    auto [op, expanded] = pending.pop_back_val();
    if (expanded) {
      clones.insert(op);
    } else if (!clones.contains(op)) {
      pending.push_back({op, true});
      pushProducers(op);
    }
  }
  group.clonedProducers = clones.takeVector();
}

void DispatchPlanner::addGroup(Operation *seed) {
  unsigned number = groups_.size();
  GrowingGroup growing;
  growing.group.root = seed;
  growing.group.kind = factsOf(seed).kind;
  growing.group.ops.push_back(seed);
  std::optional<SmallVector<int>> loops = rootLoops(seed);
  growing.tileLoops[seed] = loops.value_or(SmallVector<int>());
  groupOf_[seed] = number;
  while (loops && policy_.fuseElementwiseConsumers && !isCloned(seed)) {
    SmallVector<int, 4> consumerLoops;
    Operation *consumer = addConsumer(growing, consumerLoops);
    if (!consumer)
      break;
    growing.group.ops.push_back(consumer);
    growing.tileLoops[consumer] = std::move(consumerLoops);
    groupOf_[consumer] = number;
  }
  collectClones(growing.group);
  groups_.push_back(std::move(growing));
}

//===-- Producers of roots --------------------------------------------------------------===//

/// Whether the reader of `use` takes in a producer tile by tile: a root that accumulates into it, a
/// reduction that reads each element once, or an elementwise op that one of these took in. `number`
/// is set to the group.
bool DispatchPlanner::isReadByTile(OpOperand &use, int &number) const {
  Operation *reader = use.getOwner();
  auto structured = dyn_cast<linalg::LinalgOp>(reader);
  if (auto found = takenIn_.find(reader); found != takenIn_.end()) {
    number = found->second;
    return policy_.fuseProducers && structured && structured.isDpsInput(&use) &&
           structured.getMatchingIndexingMap(&use).isPermutation();
  }
  number = groupOf(reader);
  if (number < 0 || group(number).root != reader)
    return false;
  if (isa<linalg::SoftmaxOp>(reader))
    return policy_.fuseProducers && use.getOperandNumber() == 0;
  if (!structured)
    return false;
  AffineMap map = structured.getMatchingIndexingMap(&use);
  if (structured.isDpsInit(&use))
    return policy_.fuseDestinations && map.isProjectedPermutation();
  return policy_.fuseProducers && group(number).kind == DispatchKind::Reduction && map.isPermutation();
}

/// The group whose dispatch may compute the elementwise `op`, whose result one op of it alone
/// reads; -1 if there is none.
int DispatchPlanner::groupTakingIn(Operation *op) const {
  auto producer = dyn_cast<linalg::LinalgOp>(op);
  if (!producer || op->getNumResults() != 1 || !isElementwiseOp(op) ||
      !producer.getIndexingMapsArray().back().isPermutation())
    return -1;
  Operation *reader = nullptr;
  int number = -1;
  for (OpOperand &use : op->getUses()) {
    if (findSizeSource(use.getOwner()))
      continue;
    bool isSame = !reader || reader == use.getOwner();
    reader = use.getOwner();
    if (!isSame || reader->getBlock() != op->getBlock() || !isReadByTile(use, number))
      return -1;
  }
  return reader ? number : -1;
}

/// What is left over and read by one root alone is computed where that needs it. Nothing can stand
/// between the two: whatever reads it is the root. From the last op on, so that chains follow.
void DispatchPlanner::fuseProducers() {
  for (Operation *op : llvm::reverse(ops_)) {
    if (!factsOf(op).isCompute || groupOf_.contains(op) || isCloned(op))
      continue;
    int number = groupTakingIn(op);
    if (number < 0)
      continue;
    absorbed_.insert(op);
    takenIn_[op] = number;
    collectClones(groups_[number].group);
  }
}

//===-- All of a body ---------------------------------------------------------------------===//

DispatchPlan DispatchPlanner::plan() {
  for (Operation *op : ops_)
    if (factsOf(op).isCompute && isRootOp(op, factsOf(op).kind, policy_))
      addGroup(op);
  fuseProducers();
  if (policy_.wrapLeftovers) {
    for (Operation *op : ops_)
      if (factsOf(op).isCompute && !groupOf_.contains(op) && !isCloned(op))
        addGroup(op);
    if (policy_.fuseParallelLoops)
      for (Operation *op : ops_)
        if (isParallelLoop(op))
          addGroup(op);
    // Copies that are read outside, too. What is one scalar everywhere takes a memset, not a kernel.
    for (Operation *op : ops_)
      if (factsOf(op).isCompute && isCloned(op) && wanted_.contains(op) && !factsOf(op).isFill)
        addGroup(op);
  }
  DispatchPlan plan;
  plan.groups = sortedGroups();
  for (auto &[block, order] : blocks_)
    plan.orders.push_back(order->sorted());
  return plan;
}

size_t DispatchPlanner::searchedEdges() const {
  size_t edges = 0;
  for (auto &[block, order] : blocks_)
    edges += order->searchedEdges();
  return edges;
}

int DispatchPlanner::groupOf(Operation *op) const {
  // What stands in a parallel loop is computed with it.
  for (; op; op = op->getParentOfType<scf::ForallOp>())
    if (auto found = groupOf_.find(op); found != groupOf_.end())
      return static_cast<int>(found->second);
  return -1;
}

} // namespace fuselage
