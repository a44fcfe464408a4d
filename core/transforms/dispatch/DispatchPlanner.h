// Plans the dispatches of a body, and knows afterwards why two ops do not share one.
#pragma once
#include "core/ir/ops/NodeShapes.h"
#include "core/transforms/dispatch/DispatchClauses.h"
#include "core/transforms/dispatch/DispatchOrder.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <deque>
#include <memory>
#include <mutex>

namespace fuselage {

/// Roots first, then what is left over; each takes the elementwise ops that follow it as far as the
/// policy's clauses allow. Changes nothing.
class DispatchPlanner {
public:
  DispatchPlanner(mlir::Region &body, const FusionPolicy &policy);
  DispatchPlan plan();
  /// After plan(): its groups as fuselage-dispatch-moves leaves them, in program order of their
  /// roots. What only moves elements has groups of its own, which take elementwise ones along;
  /// groupOf() answers by them from then on.
  std::vector<DispatchGroup> planWithMoves();

  /// The dispatch that `op` belongs to as one of its ops: a number by order of planning, not the index
  /// in the plan; -1 if there is none. Clones do not count.
  int groupOf(mlir::Operation *op) const;
  const DispatchGroup &group(int number) const { return groups_[number].group; }
  unsigned groupCount() const { return groups_.size(); }

  /// Whether the reader of `use` computes the value again, in its own dispatch: a cheap producer, or one
  /// that elementwise fusion moves into the reader's payload.
  bool isRecomputed(mlir::OpOperand &use) const;
  bool isFusedElementwise(mlir::OpOperand &use) const { return fusedUses_.contains(&use); }
  /// Whether one other op alone reads the op's result, and computes it tile by tile in its own
  /// dispatch.
  bool isTakenIn(mlir::Operation *op) const { return takenIn_.contains(op); }

  /// How many edges were searched for the order of the dispatches: in proportion to the ops of a body whose ops have
  /// few users, and bounded by FusionPolicy::maxOrderEdges for each op in any.
  size_t searchedEdges() const;

  /// After plan(): every clause that keeps the consumer of `edge` out of its producer's dispatch, the one
  /// that decides first. Never empty.
  Refusals refusalsOf(const FusionEdge &edge) const;
  /// From here on several threads may ask for refusals, once the ops are numbered (numberOps).
  void share() { isShared_ = true; }

private:
  /// A group that grows. `tileLoops[op][t]` is the loop of `op` that dimension `t` of the root's result
  /// becomes, or -1 where that dimension has size 1 and is not carried on.
  struct GrowingGroup {
    DispatchGroup group;
    llvm::SmallDenseMap<mlir::Operation *, mlir::SmallVector<int, 4>, 2> tileLoops;
    bool contains(mlir::Operation *op) const { return tileLoops.contains(op); }
  };
  /// A value of the group that a consumer reads, and the map from the consumer's loops to it.
  struct GroupRead {
    mlir::OpResult value;
    mlir::AffineMap map;
  };
  /// What is asked of an op again and again: the same of all that look alike.
  struct OpFacts {
    bool isCompute, isCheap, isCopy, isFill;
    DispatchKind kind;
  };
  using Question = std::pair<unsigned, mlir::Operation *>; // may this op join that group?

  void fuseElementwise();
  void fuseOperands(mlir::Operation *consumer);
  void addGroup(mlir::Operation *seed);
  unsigned addMove(llvm::ArrayRef<mlir::Operation *> ops, mlir::Operation *root);
  void takePartInto(mlir::Value part, unsigned join);
  bool isReadInPlace(mlir::OpOperand &use) const;
  bool isStored(mlir::tensor::ExtractSliceOp slice) const;
  std::vector<DispatchGroup> sortedGroups() const;
  mlir::Operation *addConsumer(const GrowingGroup &growing, mlir::SmallVectorImpl<int> &loops);
  bool mayFollow(mlir::Operation *tail, mlir::Operation *&onlyUser) const;
  mlir::SmallVector<mlir::Operation *> candidatesAfter(mlir::Operation *tail, unsigned number);
  void readsThrough(mlir::Value value, mlir::AffineMap map, const GrowingGroup &growing,
                    mlir::SmallVectorImpl<GroupRead> &reads) const;
  Refusals alignConsumer(mlir::Operation *consumer, const GrowingGroup &growing,
                         mlir::SmallVectorImpl<int> &loops) const;
  Refusals alignLoops(mlir::linalg::LinalgOp consumer, const GrowingGroup &growing,
                      mlir::SmallVectorImpl<int> &loops) const;
  std::optional<Refusal> alignRead(const GroupRead &read, const GrowingGroup &growing,
                                   mlir::SmallVectorImpl<int> &loops) const;
  bool capturesGroup(mlir::Operation *consumer, const GrowingGroup &growing) const;
  std::optional<Refusal> exceedsBindings(mlir::Operation *consumer, const GrowingGroup &growing) const;
  bool isReadByTile(mlir::OpOperand &use, int &number) const;
  int groupTakingIn(mlir::Operation *op) const;
  void fuseProducers();
  DispatchOrder &orderOf(mlir::Block *block);
  void collectClones(DispatchGroup &group) const;
  bool isCheapClone(mlir::Operation *op) const;
  /// Held while one of the tables below that are filled on demand is used.
  std::unique_lock<std::recursive_mutex> lockTables() const {
    return isShared_ ? std::unique_lock(tables_) : std::unique_lock<std::recursive_mutex>();
  }
  OpFacts factsOf(mlir::Operation *op) const;
  bool isCloned(mlir::Operation *op) const;
  bool isStoredCopy(mlir::Operation *op) const;
  mlir::OpOperand *effectiveUse(const FusionEdge &edge) const;
  mlir::Operation *dominatingUser(mlir::Operation *op) const;
  void appendDispatchRefusals(const FusionEdge &edge, Refusals &refusals) const;
  void appendJoinRefusals(const FusionEdge &edge, unsigned number, Refusals &refusals) const;

  const FusionPolicy policy_;
  std::vector<mlir::Operation *> ops_; // in walk order
  llvm::DenseMap<mlir::Operation *, unsigned> order_;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf_;
  llvm::DenseSet<mlir::Operation *> wanted_; // compute ops whose results ops outside of dispatches read
  llvm::DenseSet<mlir::OpOperand *> fusedUses_;
  llvm::DenseSet<mlir::Operation *> absorbed_;          // all their uses are fused
  llvm::DenseMap<mlir::Operation *, unsigned> takenIn_; // by the group that computes them; absorbed, too
  llvm::DenseMap<mlir::Operation *, llvm::SmallDenseSet<mlir::Value, 8>> operandsOf_; // of fused ops
  std::deque<GrowingGroup> groups_;                                                   // in order of planning
  llvm::MapVector<mlir::Block *, std::unique_ptr<DispatchOrder>> blocks_;
  llvm::DenseMap<mlir::OpOperand *, int64_t> overLimit_; // how many operands the fused op would have
  llvm::DenseMap<Question, Refusal> badOrder_;
  llvm::DenseSet<Question> neverAsked_;
  bool isShared_ = false;
  mutable std::recursive_mutex tables_;
  mutable llvm::DenseMap<mlir::Operation *, mlir::Operation *> dominatingUsers_;
  mutable llvm::DenseMap<mlir::Operation *, bool> cheapClones_;
  mutable NodeShapes shapes_;
  mutable llvm::DenseMap<mlir::Operation *, int> shapeOf_;
  mutable std::vector<OpFacts> facts_; // by shape
};

} // namespace fuselage
