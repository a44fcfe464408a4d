// A structured op on memory, as loops over a box.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// What is known of a structured op on memrefs of static shapes. Its operands may be others than the op's, at other
/// places: a packed copy is read through another map.
struct LoopKernel {
  mlir::Location loc;
  mlir::Region *body;                      ///< one block: operands to what is written
  llvm::SmallVector<mlir::Value> operands; ///< inputs first
  llvm::SmallVector<mlir::AffineMap> maps;
  unsigned inputs = 0;
  llvm::SmallVector<int64_t> ranges;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  int64_t packedWidth = 0;                   ///< of blocks that a packed operand has, whole vectors; 0: none is packed
  llvm::SmallVector<int64_t, 4> requested{}; ///< sizes, as TilingConfig::host has them; or empty
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>>
      members{};                             ///< by loop, the op's that it stands for, outermost first; empty: of no op
  llvm::SmallVector<mlir::TypedAttr> starts; ///< of each output: what it starts from instead of what its memory holds

  bool isParallel(unsigned loop) const { return iterators[loop] == mlir::utils::IteratorType::parallel; }
  bool reduces() const { return llvm::is_contained(iterators, mlir::utils::IteratorType::reduction); }
  mlir::Value argument(unsigned operand) const { return body->getArgument(operand); }
  mlir::Operation *terminator() const { return body->front().getTerminator(); }

  /// How an operand lies along a loop.
  enum class Along { Still, Dense, Apart }; ///< the same element, the next one, another one
  Along along(unsigned operand, unsigned loop) const;
  /// So many elements further an operand is read with each iteration of a loop; nullopt where that is not a distance
  /// along its dense dimension.
  std::optional<int64_t> step(unsigned operand, unsigned loop) const;
  /// Whether a loop reads every second, third or fourth element, so that vectors of them come of whole ones and
  /// shuffles.
  bool isStrided(unsigned operand, unsigned loop) const;
  /// How often each element of an operand is read for the sake of loops that run beside each other.
  int64_t reuse(unsigned operand) const;
  /// The loop along which an operand is dense, if there is one.
  std::optional<unsigned> denseLoop(unsigned operand) const;
  /// The op that folds terms into an output, if that is all that the body does with what the output was, and in which
  /// order does not matter but for rounding.
  mlir::Operation *combiner(unsigned output) const;
};

/// Nullopt where loops cannot be made of the op: sizes that are not known, nothing to do, ops that do more than
/// compute.
std::optional<LoopKernel> readLoopKernel(mlir::linalg::LinalgOp op);

} // namespace fuselage
