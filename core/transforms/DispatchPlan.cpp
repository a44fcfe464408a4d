// The policy of dispatch formation: which ops share a dispatch.
#include "core/transforms/DispatchPlan.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/transforms/DispatchOrder.h"
#include "core/transforms/DispatchSizes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A group that grows. `tileLoops[op][t]` is the loop of `op` that dimension `t` of the root's
/// result becomes, or -1 where that dimension has size 1 and is not carried on.
struct GrowingGroup {
  DispatchGroup group;
  llvm::SmallDenseMap<Operation *, SmallVector<int>, 4> tileLoops;
  bool contains(Operation *op) const { return tileLoops.contains(op); }
};

/// A value of the group that a consumer reads, and the map from the consumer's loops to it.
struct GroupRead {
  OpResult value;
  AffineMap map;
};

class Planner {
public:
  Planner(Region &body, const DispatchPolicy &policy);
  DispatchPlan plan();

private:
  void addGroup(Operation *seed);
  Operation *addConsumer(const GrowingGroup &growing, SmallVectorImpl<int> &loops);
  SmallVector<Operation *> candidatesAfter(Operation *tail) const;
  bool readsThrough(Value value, AffineMap map, const GrowingGroup &growing,
                    SmallVectorImpl<GroupRead> &reads) const;
  bool mapLoops(linalg::LinalgOp consumer, const GrowingGroup &growing,
                SmallVectorImpl<int> &loops) const;
  bool capturesGroup(linalg::LinalgOp consumer, const GrowingGroup &growing) const;
  DispatchOrder &orderOf(Block *block);
  void collectClones(DispatchGroup &group) const;
  bool isCloned(Operation *op) const;

  const DispatchPolicy &policy_;
  std::vector<Operation *> ops_; // in walk order
  llvm::DenseMap<Operation *, unsigned> order_;
  llvm::DenseMap<Operation *, unsigned> groupOf_;
  llvm::DenseSet<Operation *> wanted_; // compute ops whose results ops outside of dispatches read
  std::vector<DispatchGroup> groups_;
  llvm::MapVector<Block *, std::unique_ptr<DispatchOrder>> blocks_;
};

} // namespace

/// Ops whose bodies are one op's payload, run as one kernel already, or are no tensors' business.
static bool isOpaque(Operation *op) {
  return isa<linalg::LinalgOp, scf::ForallOp, scf::ParallelOp>(op) || isComputeOp(op) ||
         decode(op).role == OpRole::DispatchRegion;
}

Planner::Planner(Region &body, const DispatchPolicy &policy) : policy_(policy) {
  for (Block &block : body)
    block.walk<WalkOrder::PreOrder>([&](Operation *op) {
      order_[op] = ops_.size();
      ops_.push_back(op);
      return isOpaque(op) ? WalkResult::skip() : WalkResult::advance();
    });
  for (Operation *op : ops_)
    if (isComputeOp(op) && llvm::any_of(op->getUsers(), [](Operation *user) {
          return !isComputeOp(user) && !isCheapProducer(user) && !findSizeSource(user);
        }))
      wanted_.insert(op);
}

/// Cheap producers are cloned; a copy that is stored anyhow (a reshape reads it, say) is not.
bool Planner::isCloned(Operation *op) const {
  return policy_.cloneCheapProducers && isCheapProducer(op) &&
         !(isPlainCopy(op) && wanted_.contains(op));
}

//===-- Growing -----------------------------------------------------------===//

/// The loops that lead to the root's result; empty if its results differ in them.
static std::optional<SmallVector<int>> rootLoops(linalg::LinalgOp root) {
  AffineMap map = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  for (OpOperand &init : root.getDpsInitsMutable())
    if (root.getMatchingIndexingMap(&init) != map)
      return std::nullopt;
  if (!isProjectedPermutationWithZeros(map))
    return std::nullopt;
  SmallVector<int> loops;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
  return loops;
}

/// The ops that could follow `tail`: elementwise, in its block, reading it directly or through
/// producers that are cloned. In program order; the first few suffice.
SmallVector<Operation *> Planner::candidatesAfter(Operation *tail) const {
  constexpr size_t maxCandidates = 4;
  llvm::SmallSetVector<Operation *, 8> found;
  SmallVector<Operation *> pending{tail};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      if (user->getBlock() != tail->getBlock() || !order_.contains(user) || !seen.insert(user).second)
        continue;
      if (isCloned(user))
        pending.push_back(user);
      else if (!groupOf_.contains(user) && isElementwise(user))
        found.insert(user);
    }
  }
  SmallVector<Operation *> candidates = found.takeVector();
  llvm::sort(candidates, [&](Operation *a, Operation *b) { return order_.at(a) < order_.at(b); });
  candidates.truncate(std::min(candidates.size(), maxCandidates));
  return candidates;
}

/// Collects the group's values that reading `value` through `map` reaches, looking through cloned
/// producers. False if one of them cannot be looked through.
bool Planner::readsThrough(Value value, AffineMap map, const GrowingGroup &growing,
                           SmallVectorImpl<GroupRead> &reads) const {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return true;
  if (growing.contains(result.getOwner())) {
    reads.push_back({result, map});
    return true;
  }
  auto copy = dyn_cast<linalg::LinalgOp>(result.getOwner());
  if (!copy || !isCloned(copy))
    return true;
  // A plain copy writes by the identity, so that its loops are its result's dimensions.
  return llvm::all_of(copy.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap inner = copy.getMatchingIndexingMap(input).compose(map);
    return readsThrough(input->get(), inner, growing, reads);
  });
}

/// Finds the consumer's loops for every dimension of the root's result; false if its tiles would
/// not line up with the root's.
bool Planner::mapLoops(linalg::LinalgOp consumer, const GrowingGroup &growing,
                       SmallVectorImpl<int> &loops) const {
  SmallVector<GroupRead> reads;
  for (OpOperand &operand : consumer->getOpOperands()) {
    AffineMap map = consumer.getMatchingIndexingMap(&operand);
    if (!readsThrough(operand.get(), map, growing, reads))
      return false;
  }
  loops.assign(growing.tileLoops.at(growing.group.root).size(), -1);
  for (const GroupRead &read : reads) {
    if (!isProjectedPermutationWithZeros(read.map))
      return false;
    auto producer = cast<linalg::LinalgOp>(read.value.getOwner());
    AffineMap written = producer.getIndexingMapMatchingResult(read.value);
    for (auto [tile, producerLoop] : llvm::enumerate(growing.tileLoops.at(producer))) {
      if (producerLoop < 0)
        continue;
      std::optional<unsigned> position =
          written.getResultPosition(getAffineDimExpr(producerLoop, written.getContext()));
      if (!position)
        return false;
      auto loop = dyn_cast<AffineDimExpr>(read.map.getResult(*position));
      if (!loop) {
        // Reading element 0 of all is reading all only where there is one.
        if (cast<RankedTensorType>(read.value.getType()).getDimSize(*position) != 1)
          return false;
        continue;
      }
      int found = loop.getPosition();
      if (loops[tile] >= 0 && loops[tile] != found)
        return false;
      loops[tile] = found;
    }
  }
  return !reads.empty();
}

/// Whether the consumer's payload reads a value of the group, or what might be a clone of it: such
/// reads cannot be mapped to tiles.
bool Planner::capturesGroup(linalg::LinalgOp consumer, const GrowingGroup &growing) const {
  bool captures = false;
  consumer.getBlock()->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        captures |= growing.contains(producer) ||
                    (isa<ShapedType>(operand.getType()) && isCloned(producer));
  });
  return captures;
}

DispatchOrder &Planner::orderOf(Block *block) {
  std::unique_ptr<DispatchOrder> &order = blocks_[block];
  if (!order)
    order = std::make_unique<DispatchOrder>(*block, [&](Operation *op) { return isCloned(op); });
  return *order;
}

/// Finds and adds the next op of the group, which must read its last op: a dispatch ends in one op,
/// whose tiles decide. Sets the op's loops.
Operation *Planner::addConsumer(const GrowingGroup &growing, SmallVectorImpl<int> &loops) {
  Operation *tail = growing.group.ops.back();
  for (Operation *candidate : candidatesAfter(tail)) {
    auto consumer = cast<linalg::LinalgOp>(candidate);
    if (mapLoops(consumer, growing, loops) && !capturesGroup(consumer, growing) &&
        orderOf(candidate->getBlock()).tryMerge(tail, candidate))
      return candidate;
  }
  return nullptr;
}

/// Adds, producers first, what is cloned in front of the group's ops.
void Planner::collectClones(DispatchGroup &group) const {
  llvm::SmallSetVector<Operation *, 8> clones;
  llvm::SmallPtrSet<Operation *, 8> members(group.ops.begin(), group.ops.end());
  // An explicit stack: chains of copies may be long. An op is added when met the second time.
  SmallVector<std::pair<Operation *, bool>> pending;
  auto pushProducers = [&](Operation *op) {
    for (Value operand : llvm::reverse(op->getOperands()))
      if (Operation *producer = operand.getDefiningOp();
          producer && isCloned(producer) && !members.contains(producer) && !clones.contains(producer))
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

void Planner::addGroup(Operation *seed) {
  GrowingGroup growing;
  growing.group.root = seed;
  growing.group.kind = kindOf(seed);
  growing.group.ops.push_back(seed);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(seed);
  std::optional<SmallVector<int>> loops = linalgOp ? rootLoops(linalgOp) : std::nullopt;
  growing.tileLoops[seed] = loops.value_or(SmallVector<int>());
  groupOf_[seed] = groups_.size();
  while (loops && policy_.fuseElementwiseConsumers && !isCloned(seed)) {
    SmallVector<int> consumerLoops;
    Operation *consumer = addConsumer(growing, consumerLoops);
    if (!consumer)
      break;
    growing.group.ops.push_back(consumer);
    growing.tileLoops[consumer] = consumerLoops;
    groupOf_[consumer] = groups_.size();
  }
  collectClones(growing.group);
  groups_.push_back(std::move(growing.group));
}

//===-- All of a function -------------------------------------------------===//

DispatchPlan Planner::plan() {
  for (Operation *op : ops_)
    if (isComputeOp(op) && isRootKind(kindOf(op)))
      addGroup(op);
  if (policy_.wrapLeftovers) {
    for (Operation *op : ops_)
      if (isComputeOp(op) && !groupOf_.contains(op) && !isCloned(op))
        addGroup(op);
    // Fills that are read outside, too.
    for (Operation *op : ops_)
      if (isComputeOp(op) && isCloned(op) && wanted_.contains(op))
        addGroup(op);
  }
  llvm::sort(groups_, [&](const DispatchGroup &a, const DispatchGroup &b) {
    return order_.at(a.root) < order_.at(b.root);
  });
  DispatchPlan plan{.groups = std::move(groups_), .orders = {}};
  for (auto &[block, order] : blocks_)
    plan.orders.push_back(order->sorted());
  return plan;
}

DispatchPlan planFunction(Region &body, const DispatchPolicy &policy) {
  Operation *function = body.getParentOp();
  if (body.empty() || function->hasAttr(kDispatchAttr) || isKernel(function))
    return {};
  return Planner(body, policy).plan();
}

std::vector<DispatchGroup> planDispatches(Region &body, const DispatchPolicy &policy) {
  return planFunction(body, policy).groups;
}

} // namespace fuselage
