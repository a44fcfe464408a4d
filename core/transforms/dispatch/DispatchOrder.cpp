#include "core/transforms/dispatch/DispatchOrder.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include <numeric>

using namespace mlir;

namespace fuselage {

/// What a merge has to look at.
struct DispatchOrder::Search {
  std::vector<Node> after;  ///< leaders that the group feeds and that stand before the consumer
  std::vector<Node> before; ///< leaders that feed the consumer and stand after the group
  size_t edges = 0;
  std::optional<Node> between; ///< an op that must stand both after the group and before the consumer
};

DispatchOrder::DispatchOrder(Block &block, llvm::function_ref<bool(Operation *)> isCloned, size_t maxEdges)
    : maxEdges_(maxEdges) {
  nodes_.reserve(block.getOperations().size());
  for (Operation &op : block) {
    nodes_[&op] = ops_.size();
    ops_.push_back(&op);
    isCloned_.push_back(isCloned(&op));
  }
  successors_.resize(ops_.size());
  predecessors_.resize(ops_.size());
  position_.resize(ops_.size());
  std::iota(position_.begin(), position_.end(), 0);
  leader_ = position_;
  for (Node node = 0; node < ops_.size(); ++node)
    members_.push_back(llvm::SmallVector<Node, 1>{node});
  std::optional<Node> lastEffect;
  for (Operation *op : ops_) {
    addEdges(*op);
    if (isMemoryEffectFree(op))
      continue;
    Node node = nodes_.at(op);
    if (lastEffect && !llvm::is_contained(predecessors_[node], *lastEffect)) {
      effectEdges_.insert({*lastEffect, node});
      addEdge(*lastEffect, node);
    }
    lastEffect = node;
  }
}

void DispatchOrder::addEdge(Node from, Node to) {
  if (from == to || (!predecessors_[to].empty() && predecessors_[to].back() == from))
    return;
  successors_[from].push_back(to);
  predecessors_[to].push_back(from);
}

/// Edges from what `op` and the ops inside of it read.
void DispatchOrder::addEdges(Operation &op) {
  Node node = nodes_.at(&op);
  op.walk([&](Operation *nested) {
    std::optional<Value> sizeSource = findSizeSource(nested);
    for (Value operand : sizeSource ? ValueRange(*sizeSource) : ValueRange(nested->getOperands())) {
      Operation *producer = operand ? operand.getDefiningOp() : nullptr;
      Operation *inBlock = producer ? op.getBlock()->findAncestorOpInBlock(*producer) : nullptr;
      if (inBlock)
        addEdge(nodes_.at(inBlock), node);
    }
  });
}

/// Collects what the group feeds and what stands before the consumer. False if that leads to the
/// consumer other than directly or through cloned ops.
bool DispatchOrder::searchForward(Node group, Node consumer, Search &search) const {
  enum Reached { ThroughClones = 1, ThroughOps = 2 };
  llvm::SmallDenseMap<Node, Reached, 32> reached; // leaders
  SmallVector<Node> pending{group};
  while (!pending.empty()) {
    Node from = pending.pop_back_val();
    Reached how = from == group ? ThroughClones : reached.at(from);
    for (Node member : members_[from]) {
      for (Node to : successors_[member]) {
        if (++search.edges > maxEdges_)
          return false;
        Node leader = leader_[to];
        bool isLate = position_[leader] > position_[consumer];
        if (leader == group || (isLate && !isCloned_[to]))
          continue;
        if (leader == consumer) {
          if (how == ThroughOps) {
            search.between = member;
            return false;
          }
          continue;
        }
        Reached next = isCloned_[to] && members_[leader].size() == 1 ? how : ThroughOps;
        auto [entry, isNew] = reached.try_emplace(leader, next);
        if (!isNew && entry->second >= next)
          continue;
        entry->second = next;
        if (isNew && !isLate)
          search.after.push_back(leader);
        pending.push_back(leader);
      }
    }
  }
  return true;
}

/// Collects what feeds the consumer and stands after the group.
bool DispatchOrder::searchBackward(Node group, Node consumer, Search &search) const {
  llvm::SmallDenseSet<Node, 32> seen{group, consumer};
  SmallVector<Node> pending{consumer};
  while (!pending.empty()) {
    Node to = pending.pop_back_val();
    for (Node member : members_[to]) {
      for (Node from : predecessors_[member]) {
        if (++search.edges > maxEdges_)
          return false;
        Node leader = leader_[from];
        // Cloned ops may stand after the group; what they read matters all the same.
        bool isEarly = position_[leader] < position_[group];
        if ((isEarly && !isCloned_[from]) || !seen.insert(leader).second)
          continue;
        if (!isCloned_[from])
          search.before.push_back(leader);
        pending.push_back(leader);
      }
    }
  }
  return true;
}

/// Gives the places of all that is involved to: what must come before, the group, what must come
/// after. Everything else stays.
void DispatchOrder::reorder(Node group, Node consumer, Search &search) {
  auto byPosition = [&](Node a, Node b) { return position_[a] < position_[b]; };
  llvm::sort(search.before, byPosition);
  llvm::sort(search.after, byPosition);
  std::vector<unsigned> places{position_[group], position_[consumer]};
  for (const std::vector<Node> *nodes : {&search.before, &search.after})
    for (Node node : *nodes)
      places.push_back(position_[node]);
  llvm::sort(places);
  for (auto [node, place] : llvm::zip_first(search.before, places))
    position_[node] = place;
  size_t next = places.size() - search.after.size();
  position_[group] = places[next - 1];
  for (Node node : search.after)
    position_[node] = places[next++];
}

/// Whether every way from the group to the consumer, other than through cloned ops, needs the order of
/// effects: no data flows all along one.
bool DispatchOrder::needsEffects(Node group, Node consumer) const {
  llvm::SmallDenseSet<Node, 32> seen{group};
  SmallVector<Node> pending{group};
  while (!pending.empty()) {
    Node from = pending.pop_back_val();
    for (Node member : members_[from])
      for (Node to : successors_[member]) {
        if (effectEdges_.contains({member, to}))
          continue;
        Node leader = leader_[to];
        bool isDirect = from == group || isCloned_[member];
        if (leader == consumer && !isDirect)
          return false;
        if (leader != consumer && position_[leader] <= position_[consumer] && seen.insert(leader).second)
          pending.push_back(leader);
      }
  }
  return true;
}

std::optional<Refusal> DispatchOrder::tryMerge(Operation *member, Operation *consumerOp) {
  Node group = leader_[nodes_.at(member)];
  Node consumer = nodes_.at(consumerOp);
  Search search;
  if (position_[group] > position_[consumer] || members_[consumer].size() != 1)
    return Refusal{.reason = FusionReason::InOtherDispatch, .evidence = {.culprit = consumerOp}};
  llvm::scope_exit count([&] { searchedEdges_ += search.edges; });
  if (!searchForward(group, consumer, search)) {
    if (!search.between)
      return Refusal{.reason = FusionReason::SearchLimit, .evidence = {.limit = static_cast<int64_t>(maxEdges_)}};
    return Refusal{.reason =
                       needsEffects(group, consumer) ? FusionReason::ExternalUserOrder : FusionReason::UseDefCycle,
                   .evidence = {.culprit = ops_[*search.between]}};
  }
  if (!searchBackward(group, consumer, search))
    return Refusal{.reason = FusionReason::SearchLimit, .evidence = {.limit = static_cast<int64_t>(maxEdges_)}};
  reorder(group, consumer, search);
  members_[group].push_back(consumer);
  members_[consumer].clear();
  leader_[consumer] = group;
  return std::nullopt;
}

/// Emits a node, and before it the cloned ops that it reads.
void DispatchOrder::emit(Node node, std::vector<bool> &emitted, std::vector<Operation *> &order) const {
  SmallVector<Node> pending{node};
  while (!pending.empty()) {
    Node next = pending.back();
    size_t before = pending.size();
    if (!emitted[next])
      for (Node producer : predecessors_[next])
        if (isCloned_[producer] && !emitted[producer])
          pending.push_back(producer);
    if (pending.size() > before)
      continue;
    pending.pop_back();
    if (!emitted[next])
      order.push_back(ops_[next]);
    emitted[next] = true;
  }
}

std::vector<Operation *> DispatchOrder::sorted() const {
  std::vector<Node> leaders;
  for (Node node = 0; node < ops_.size(); ++node)
    if (leader_[node] == node)
      leaders.push_back(node);
  llvm::sort(leaders, [&](Node a, Node b) { return position_[a] < position_[b]; });
  std::vector<bool> emitted(ops_.size());
  std::vector<Operation *> order;
  for (Node leader : leaders)
    for (Node member : members_[leader])
      emit(member, emitted, order);
  return order;
}

} // namespace fuselage
