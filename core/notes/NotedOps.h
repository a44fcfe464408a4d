// Ops as notes know them: described so that they are found again after their file was edited.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/Notes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// An op, or (`argument` >= 0) an argument of a function.
struct NotedOp {
  OpId op = -1; ///< -1: none
  int argument = -1;
  friend bool operator==(const NotedOp &, const NotedOp &) = default;
};

/// What became of an anchor.
struct ResolvedOp {
  message::NoteState state = message::NoteState::Lost;
  NotedOp op;
  std::string how; ///< a sentence where there is something to say; what it went by
};

/// The ops of one module, which outlives this.
class NotedOps {
public:
  explicit NotedOps(mlir::ModuleOp module);

  message::OpAnchor<> describe(NotedOp op) const;
  /// Goes by everything that an anchor says: what the user calls the op, what flows in and out, its types, its
  /// function, its neighbours, and where it stood. An op that is another one by most of that is not taken for it: it is
  /// Lost. Unsure: several look the same, and their number has changed.
  ResolvedOp find(const message::OpAnchor<> &anchor) const;

  mlir::Operation *op(OpId id) const { return ops_[id]; }
  OpId count() const { return ops_.size(); }
  /// Ops and arguments that all calls of find() compared with anchors so far. At most `mostComparisons`, and then some
  /// hundred for each further anchor.
  size_t compared() const { return compared_; }
  static constexpr size_t mostComparisons = 4'000'000;

private:
  struct Scored;
  std::optional<ResolvedOp> findInPlace(const message::OpAnchor<> &anchor) const;
  ResolvedOp findArgument(const message::OpAnchor<> &anchor) const;
  std::vector<OpId> candidates(const message::OpAnchor<> &anchor) const;
  /// Ops of a name in a function, in order.
  llvm::ArrayRef<OpId> group(llvm::StringRef op, llvm::StringRef function) const;
  unsigned functionNumber(const std::string &path);
  const std::vector<std::pair<NotedOp, message::OpAnchor<>>> &arguments() const;
  ResolvedOp judge(const message::OpAnchor<> &anchor, std::vector<Scored> scored) const;
  const message::OpAnchor<> &described(OpId id) const;
  /// Its number among the ops of that name in that function, and how many there are.
  std::pair<int, int> ordinalOf(OpId id) const;

  std::vector<mlir::Operation *> ops_;
  std::vector<std::string> functions_; ///< distinct paths of symbols
  llvm::StringMap<unsigned> functionNumbers_;
  std::vector<unsigned> functionOf_;                                            ///< by op, index into functions_
  std::vector<unsigned> ordinals_;                                              ///< by op, in its group
  llvm::DenseMap<std::pair<unsigned, const void *>, std::vector<OpId>> groups_; ///< by function and entry of byName_
  llvm::StringMap<std::vector<OpId>> byName_, byValueName_;
  mutable std::vector<std::unique_ptr<message::OpAnchor<>>> described_; ///< by op, made when it is compared
  mutable std::vector<std::pair<NotedOp, message::OpAnchor<>>>
      arguments_; ///< of all functions, made when one is looked for
  /// Thousands of notes whose ops are gone, in a module of as many ops of that name, would keep the engine busy for
  /// minutes: after so many comparisons only ops near the old place and of the same name are looked at.
  mutable size_t comparisonsLeft_ = mostComparisons;
  mutable size_t compared_ = 0;
};

} // namespace fuselage
