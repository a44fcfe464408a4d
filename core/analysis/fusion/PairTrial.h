// Can two ops share a loop nest? Tried on copies of them, not guessed.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <string>
#include <vector>

namespace fuselage {

/// An op and one that reads its result, alone in a function: all else that they read are arguments.
class PairTrial {
public:
  /// Copies the ops. `use` is the operand of the consumer that reads `value`.
  PairTrial(mlir::OpResult value, mlir::OpOperand &use);

  /// Whether there is anything to try: both ops compute tensors that have elements, and may be tiled, or
  /// follow the tiles of others.
  bool isPossible() const { return module_ && producer_ >= 0; }
  /// What the outcome depends on, as text.
  std::string key() const;
  /// Whether tile-and-fuse, upstream's or ours, moves one op into loops around the other, for any of some
  /// tile sizes that cut a loop. Ops that are views are tried beside an op that copies what they show. What
  /// is inserted into a larger tensor only has to come in tiles: each can be written to its place there.
  bool run() const;

private:
  /// The ops of a copy of the function; `front` copies what a view before it shows, `back` what one after it shows.
  struct Ops {
    mlir::Operation *producer = nullptr, *consumer = nullptr, *front = nullptr, *back = nullptr;
  };
  /// From whose loops the fusion starts.
  enum class Start { Consumer, Producer };
  using TileSizes = llvm::SmallVector<int64_t>;

  void addCopies(Ops &ops);
  Ops opsOf(mlir::ModuleOp module) const;
  static mlir::TilingInterface rootOf(const Ops &ops, Start start);
  std::vector<TileSizes> sizesToTry(Start start) const;
  bool tryOurs(Start start, const TileSizes &sizes) const;
  bool tryUpstream(Start start, const TileSizes &sizes) const;
  bool tryTilesOfProducer(Start start, const TileSizes &sizes) const;

  mlir::OwningOpRef<mlir::ModuleOp> module_{};
  /// Where the ops stand in the function's block; -1: there is none.
  bool isInserted_ = false; ///< the consumer inserts the value into another
  int producer_ = -1, consumer_ = -1, front_ = -1, back_ = -1;
};

} // namespace fuselage
