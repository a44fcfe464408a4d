// Why an operand cannot be bufferized in place.
#pragma once
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/Dominance.h"

namespace fuselage {

/// What is in the way of an operand's result living in the operand's buffer.
struct BufferConflict {
  enum class Kind {
    ReadAfterWrite, ///< `write` would overwrite what `read` wants to see of `definition`
    NotWritable,    ///< `write` would go into the buffer of `definition`, which must not change
    ParallelRegion, ///< `write` runs in iterations at once that would share the buffer of `definition`
  };
  Kind kind = Kind::ReadAfterWrite;
  mlir::OpOperand *read = nullptr; ///< of ReadAfterWrite
  mlir::OpOperand *write = nullptr;
  mlir::Value definition{}; ///< the last write before the read, or where the buffer comes from
};

/// Repeats the test of One-Shot Bufferize (mlir/lib/Dialect/Bufferization/Transforms/OneShotAnalysis.cpp)
/// on the alias sets of a state, for one operand that is not decided yet. Where upstream stops at any
/// conflict, this one looks at all and picks the one that explains most: a write by the operand's own
/// op, a read behind it, and then whatever comes first in the program. Upstream's choice depends on
/// addresses.
class ConflictFinder {
public:
  /// `root`: the module that `state` is about.
  ConflictFinder(mlir::Operation *root, mlir::bufferization::OneShotAnalysisState &state);

  /// Nothing: the operand can be bufferized in place.
  std::optional<BufferConflict> find(mlir::OpOperand &operand, const mlir::DominanceInfo &dominance);

private:
  using Uses = llvm::SmallVector<mlir::OpOperand *>;
  struct Candidate {
    BufferConflict conflict;
    std::tuple<bool, bool, int64_t, int64_t> rank;
  };

  Uses inOrder(const llvm::SmallPtrSetImpl<mlir::OpOperand *> &uses) const;
  Uses readsOf(mlir::OpOperand &operand) const;
  Uses writesOf(mlir::OpOperand &operand) const;
  void forEachAlias(mlir::OpOperand &operand, llvm::function_ref<void(mlir::Value)> visit) const;
  std::optional<BufferConflict> findReadOnly(mlir::OpOperand &operand, const Uses &writes) const;
  std::optional<BufferConflict> findParallel(const Uses &writes) const;
  std::optional<BufferConflict> findReadAfterWrite(mlir::OpOperand &operand, const Uses &reads, const Uses &writes,
                                                   const mlir::DominanceInfo &dominance);
  bool mayConflict(mlir::OpOperand *read, mlir::OpOperand *write, bool isOrdered,
                   const mlir::DominanceInfo &dominance);
  bool isOrderedByDominance(mlir::OpOperand *read, mlir::OpOperand *write,
                            const llvm::SetVector<mlir::Value> &definitions);
  bool areSameElements(mlir::OpOperand *read, mlir::OpOperand *write) const;
  bool touchOtherSubsets(mlir::OpOperand *read, mlir::OpOperand *write) const;
  bool isClobbered(mlir::Value definition, mlir::OpOperand *write, const mlir::DominanceInfo &dominance) const;
  int64_t placeOf(mlir::Value value) const;

  mlir::bufferization::OneShotAnalysisState &state_;
  llvm::DenseMap<mlir::Operation *, int64_t> places_; ///< in program order
};

} // namespace fuselage
