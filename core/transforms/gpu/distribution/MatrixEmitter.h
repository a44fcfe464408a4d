// A contraction on buffers as instructions of subgroups that multiply matrices.
#pragma once
#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Writes the part of a subgroup. Accumulators are values of one instruction's result each, by result of the op, block
/// of rows and block of columns; points are what a thread holds of them, element by element.
class MatrixEmitter {
public:
  /// `thread`: the number of the thread in its workgroup. What does not change from step to step is computed here,
  /// where the rewriter stands.
  MatrixEmitter(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const MatrixTile &tile, mlir::Value thread);

  /// The indices, by parallel loop, of the elements that this thread holds of each result: neighbours along columns
  /// follow each other.
  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points() const { return points_; }
  /// The loop, by number among the parallel ones, along which the second of each two points follows the first, which is
  /// even along it; nothing where two are not neighbours.
  std::optional<unsigned> pairedLoop() const;
  /// Accumulators of the elements given by point and result, as loadOutputs gives them.
  llvm::SmallVector<mlir::Value> pack(mlir::ValueRange elements);
  /// Elements by point and result, in the results' type.
  llvm::SmallVector<mlir::Value> unpack(mlir::ValueRange accumulators, size_t first, size_t count);
  /// Adds the products of the operands' tiles: reads of all fragments of a step along the depth, then instructions.
  /// `left`: the elements of the left operand where this thread has them already, of its part's rows and the whole
  /// depth as a result has them.
  llvm::SmallVector<mlir::Value> multiply(mlir::ValueRange accumulators, llvm::ArrayRef<mlir::Value> left = {});

private:
  using Indices = llvm::SmallVector<mlir::Value>;
  /// A row (or column) and a position along the depth.
  struct Place {
    mlir::Value outer, depth;
  };

  mlir::Value constant(int64_t value);
  mlir::Value plus(mlir::Value value, int64_t more);
  mlir::Value times(mlir::Value value, int64_t factor);
  void findLane(mlir::Value thread);
  /// The register of an accumulator that has an element.
  struct Register {
    size_t block;
    int64_t number, element;
  };
  void findPoints();
  void addPoint(int64_t down, int64_t across, int64_t number, int64_t element);
  void spread(llvm::ArrayRef<unsigned> loops, mlir::Value number, Indices &ivs);
  Indices indicesOf(unsigned operand, bool isLeft, const Place &place);
  /// How an operand comes to registers: by ldmatrix, the right one's bytes in words that are permuted, or element by
  /// element.
  enum class Reading { Rows, Transposed, Words, Elements };
  Reading readingOf(unsigned operand, bool isLeft);
  bool hasRowsOfMemory(mlir::Value buffer) const;
  /// The fragment of the left operand's 16 rows, or of the right one's 16 (or 8) columns.
  mlir::Value fragment(unsigned operand, bool isLeft, int64_t outer, int64_t depth, int64_t matrices);
  mlir::Value loadElements(unsigned operand, bool isLeft, int64_t outer, int64_t depth, int64_t registers);
  llvm::SmallVector<mlir::Value> leftFragments(unsigned operand, int64_t depth);
  llvm::SmallVector<mlir::Value> secondHalves(llvm::ArrayRef<mlir::Value> fragments, int64_t perBlock);
  llvm::SmallVector<mlir::Value> fragmentsOf(llvm::ArrayRef<mlir::Value> left, int64_t depth);
  llvm::SmallVector<mlir::Value> rightFragments(unsigned operand, int64_t depth);
  std::array<mlir::Value, 4> columnsOfWords(unsigned operand, int64_t column, int64_t depth);
  llvm::SmallVector<mlir::Value> fragmentsOfWords(unsigned operand, int64_t depth);

  mlir::RewriterBase &rewriter_;
  mlir::linalg::LinalgOp op_;
  MatrixTile tile_;
  mlir::Location loc_;
  mlir::Value lane_, group_, member_;               ///< group: lane / 4, member: lane % 4
  mlir::Value firstRow_, firstColumn_;              ///< of the subgroup's part
  mlir::Value halfOfLane_, matrixRow_, matrixHalf_; ///< lane / 16, lane % 8, lane / 8 % 2
  /// Right operands are read in words of four columns: of 32 columns the blocks of 8 that instructions take are every
  /// fourth one.
  bool areWords_ = false;
  llvm::SmallVector<Indices> points_;
  llvm::SmallVector<Register> registers_; ///< by point
};

} // namespace fuselage
