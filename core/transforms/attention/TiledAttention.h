// What a loop over workgroups that buildOnlineSoftmax made consists of.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {

/// Finds the tiles of queries and keys, what each dimension of each tile walks, and the two
/// products; changes nothing.
class TiledAttention {
public:
  TiledAttention(mlir::RewriterBase &rewriter, mlir::scf::ForallOp forall) : b_(rewriter), forall_(forall) {}
  /// False where the loop is something else, or a size is not known.
  bool find();

protected:
  /// What a dimension of a tile walks.
  enum class Along : char { Other, Queries, Keys };
  using Dims = llvm::SmallVector<std::optional<Along>>;

  /// One of the two extents that are cut into tiles.
  struct Cut {
    mlir::Value block;                   ///< counts the tiles: of the loop over workgroups, or of the loop over keys
    int64_t before = 0;                  ///< the tile that there is
    int64_t range = 0;                   ///< of all tiles
    int64_t size = 0;                    ///< the tile that there shall be
    mlir::Value number, first, repeated; ///< of the new tile: where it starts, and how many of its
                                         ///< elements the one before had

    bool isUneven() const { return range % size != 0; }
    int64_t count() const { return llvm::divideCeil(range, size); }
  };

  /// Whether all loops run so often as the extents and tiles say, and that is known.
  bool hasKnownCounts();
  /// Elements of a product's operand that are not tiled, beside each key or query.
  int64_t widthOf(mlir::Value operand);
  Cut &cutOf(Along along) { return along == Along::Keys ? keys_ : queries_; }
  Along startOf(mlir::OpFoldResult offset) const;

  mlir::RewriterBase &b_;
  mlir::scf::ForallOp forall_;
  mlir::scf::ForOp loop_; ///< over keys
  Cut queries_, keys_;
  llvm::DenseMap<mlir::Operation *, Along> starts_; ///< what computes where tiles start
  llvm::DenseMap<mlir::Value, Dims> dims_;          ///< of tiles
  mlir::linalg::LinalgOp scores_, context_,
      maximum_; ///< the two products, and what looks for the largest logit of a row

private:
  bool findCuts();
  bool findDims();
  bool findProducts();
  bool addSlice(mlir::tensor::ExtractSliceOp slice);
  bool addExtent(Along along, int64_t range);
  Dims &dimsOf(mlir::Value value);
  static bool join(std::optional<Along> &a, std::optional<Along> &b);
  void learn(mlir::Value value, const Dims &dims);
  bool joinDims(mlir::Value a, mlir::Value b);
  bool joinOperands(mlir::linalg::LinalgOp op);
  std::optional<Along> alongOf(mlir::linalg::LinalgOp op, unsigned loop);

  bool isAmbiguous_ = false, isNew_ = false;
};

} // namespace fuselage
