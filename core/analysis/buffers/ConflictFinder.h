// Why an operand cannot be bufferized in place.
#pragma once
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/Dominance.h"
#include <map>
#include <vector>

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
/// op, a read after it, and then whatever comes first in the program. Upstream's choice depends on
/// addresses. What does not depend on decisions is kept by value, so that thousands of ops that share one
/// value (a tensor.empty) are not looked through for each of them.
class ConflictFinder {
public:
  /// `root`: the module that `state` is about.
  ConflictFinder(mlir::Operation *root, mlir::bufferization::OneShotAnalysisState &state);

  /// Nothing: the operand can be bufferized in place.
  std::optional<BufferConflict> find(mlir::OpOperand &operand, const mlir::DominanceInfo &dominance);

  /// Decides for an operand, in the state as well.
  void bufferizeInPlace(mlir::OpOperand &operand);
  void bufferizeOutOfPlace(mlir::OpOperand &operand);

private:
  /// An operand and the place of its op in the program.
  struct Use {
    int64_t place;
    mlir::OpOperand *operand;
    bool operator==(const Use &other) const { return operand == other.operand; }
    bool operator<(const Use &other) const;
  };
  using Uses = llvm::SmallVector<Use>;
  /// Places from `first` to `last`, inclusive.
  struct Places {
    int64_t first, last;
  };
  /// A use that reads, and where the writes are that may be in conflict with it.
  struct Read : Use {
    llvm::SmallVector<Places, 3> writes;
  };
  /// The uses that read a value; those of contents that nobody wrote cannot be in conflict.
  struct Reads {
    std::vector<const Read *> defined;
    bool any = false;
  };

  void noteWrite(mlir::OpOperand &operand);
  const std::pair<std::vector<Read>, bool> &readsOf(mlir::Value value);
  llvm::SmallVector<Places, 3> writesAround(mlir::OpOperand &read);
  Reads readsOf(mlir::OpOperand &operand);
  Uses writesOf(mlir::OpOperand &operand) const;
  Use useOf(mlir::OpOperand &operand) const { return {places_.lookup(operand.getOwner()), &operand}; }
  void forEachAlias(mlir::OpOperand &operand, llvm::function_ref<void(mlir::Value)> visit) const;
  std::optional<BufferConflict> findReadOnly(mlir::OpOperand &operand, const Uses &writes) const;
  std::optional<BufferConflict> findParallel(const Uses &writes) const;
  std::optional<BufferConflict> findReadAfterWrite(mlir::OpOperand &operand, const Reads &reads, const Uses &writes,
                                                   const mlir::DominanceInfo &dominance);
  std::optional<BufferConflict> conflictOf(mlir::OpOperand *read, mlir::OpOperand *write,
                                           const mlir::DominanceInfo &dominance);
  bool mayConflict(mlir::OpOperand *read, mlir::OpOperand *write, bool isOrdered, const mlir::DominanceInfo &dominance);
  bool isOrderedByDominance(mlir::OpOperand *read, mlir::OpOperand *write,
                            const llvm::SetVector<mlir::Value> &definitions);
  bool areSameElements(mlir::OpOperand *read, mlir::OpOperand *write) const;
  bool touchOtherSubsets(mlir::OpOperand *read, mlir::OpOperand *write) const;
  bool isClobbered(mlir::Value definition, mlir::OpOperand *write, const mlir::DominanceInfo &dominance) const;
  int64_t placeOf(mlir::Value value) const;

  mlir::bufferization::OneShotAnalysisState &state_;
  llvm::DenseMap<mlir::Operation *, int64_t> places_, ends_; ///< in program order; of the last op in it
  /// By value, those of contents that somebody wrote; true if there are any at all.
  std::map<void *, std::pair<std::vector<Read>, bool>> reads_;
  llvm::DenseMap<mlir::Value, Uses> writes_; ///< in place, by what they write to
};

} // namespace fuselage
