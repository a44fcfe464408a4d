// The ops of a block in an order in which every planned group stands at one place.
#pragma once
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/FusionReason.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// A dependency graph of a block's ops in which groups of ops count as one node, with a topological
/// order that is kept up to date while groups grow (Pearce & Kelly 2006, A Dynamic Topological Sort
/// Algorithm for Directed Acyclic Graphs). Ops with effects keep their order among themselves.
/// Ops that are cloned into their consumers put no bound on these: who reads their result reads,
/// in truth, their operands.
class DispatchOrder {
public:
  DispatchOrder(mlir::Block &block, llvm::function_ref<bool(mlir::Operation *)> isCloned, size_t maxEdges);

  /// Adds `consumer`, a group of its own so far, to the group of `member`. If ops between the two
  /// forbid it, or the search for such ops took more than `maxEdges` steps, nothing changes and the
  /// reason comes back.
  std::optional<Refusal> tryMerge(mlir::Operation *member, mlir::Operation *consumer);

  /// The ops in order, those of a group after one another (but for cloned ops, which stand in
  /// front of their first reader).
  std::vector<mlir::Operation *> sorted() const;

  /// The edges that all calls of tryMerge() went along so far: their work.
  size_t searchedEdges() const { return searchedEdges_; }

private:
  using Node = unsigned;
  struct Search;
  void addEdge(Node from, Node to);
  void addEdges(mlir::Operation &op);
  bool searchForward(Node group, Node consumer, Search &search) const;
  bool needsEffects(Node group, Node consumer) const;
  bool searchBackward(Node group, Node consumer, Search &search) const;
  void reorder(Node group, Node consumer, Search &search);
  void emit(Node node, std::vector<bool> &emitted, std::vector<mlir::Operation *> &order) const;

  std::vector<mlir::Operation *> ops_;
  llvm::DenseMap<mlir::Operation *, Node> nodes_;
  std::vector<llvm::SmallVector<Node, 2>> successors_, predecessors_;
  llvm::DenseSet<std::pair<Node, Node>> effectEdges_; // no data flows along these
  std::vector<bool> isCloned_;
  size_t maxEdges_, searchedEdges_ = 0;
  std::vector<Node> leader_;                        // of the group an op is in
  std::vector<llvm::SmallVector<Node, 1>> members_; // by leader, in order of joining
  std::vector<unsigned> position_;                  // by leader
};

} // namespace fuselage
