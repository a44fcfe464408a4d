// Emits a contraction on buffers with the matrix instructions of subgroups (mma.sync).
#pragma once
#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits the part of one subgroup. Each accumulator is the result of one instruction; they are ordered by result of the
/// op, block of rows and block of columns. Points are the single elements that a thread holds of them.
class MatrixEmitter {
public:
  /// Emits the loop-invariant code at the insertion point. `thread`: the number of the thread in its workgroup.
  MatrixEmitter(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const MatrixTile &tile, mlir::Value thread);

  /// The indices, by parallel loop, of the elements that this thread holds of each result; neighbours in a row follow
  /// each other.
  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points() const { return points_; }
  /// Returns the parallel loop, by number, along which points come in pairs of neighbours, the first at an even index;
  /// nullopt if they do not.
  std::optional<unsigned> pairedLoop() const;
  /// Emits accumulators from elements ordered by point and result, as loadOutputs returns them.
  llvm::SmallVector<mlir::Value> pack(mlir::ValueRange elements);
  /// Emits the elements of `count` points from `first` on, ordered by point and result, in the type of the result.
  llvm::SmallVector<mlir::Value> unpack(mlir::ValueRange accumulators, size_t first, size_t count);
  /// Emits all steps along K of the tile, each with loads of its fragments and then instructions. Returns the new
  /// accumulators. `left`: the left operand of the part's rows, if this thread holds it as a result of another product.
  llvm::SmallVector<mlir::Value> multiply(mlir::ValueRange accumulators, llvm::ArrayRef<mlir::Value> left = {});

private:
  using Indices = llvm::SmallVector<mlir::Value>;
  /// A row (or column) and a position along K.
  struct Place {
    mlir::Value outer, k;
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
  mlir::Value fragment(unsigned operand, bool isLeft, int64_t outer, int64_t k, int64_t matrices);
  mlir::Value loadElements(unsigned operand, bool isLeft, int64_t outer, int64_t k, int64_t registers);
  llvm::SmallVector<mlir::Value> leftFragments(unsigned operand, int64_t k);
  llvm::SmallVector<mlir::Value> secondHalves(llvm::ArrayRef<mlir::Value> fragments, int64_t perBlock);
  llvm::SmallVector<mlir::Value> fragmentsOf(llvm::ArrayRef<mlir::Value> left, int64_t k);
  llvm::SmallVector<mlir::Value> rightFragments(unsigned operand, int64_t k);
  std::array<mlir::Value, 4> columnsOfWords(unsigned operand, int64_t column, int64_t k);
  llvm::SmallVector<mlir::Value> fragmentsOfWords(unsigned operand, int64_t k);

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
