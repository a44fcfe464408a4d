// GPU drivers that run on a CPU, such as Mesa's lavapipe.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// A workgroup is one subgroup. Its lanes keep results in registers and exchange what they read by shuffles, since
/// workgroup memory is as slow as other memory and a barrier switches coroutines. A lane has four columns and up to 16
/// rows of a result, or a row of a reduction. Reduction loops stay whole unless an input is computed in their steps.
class SoftwareSubgroupStrategy : public TargetStrategy {
public:
  explicit SoftwareSubgroupStrategy(const DeviceModel &device);

  llvm::SmallVector<int64_t> unplannedSteps(mlir::TilingInterface op, bool hasFusedInput) const override {
    return reductionSteps(op, hasFusedInput);
  }

  bool promotesOperands() const override { return false; }
  bool fusesOperandProducers() const override { return false; }
  bool overlapsReductionTiles() const override { return true; }

  bool shouldSplitReduction(int64_t results, int64_t iterations, int64_t elementBytes) const override;
  LongReductionOptions longReductions() const override;

  ThreadOptions threads() const override;
  bool choosesAttentionTiles() const override { return true; }
  AttentionTileOptions attentionTiles() const override;

protected:
  void contractionTargets(mlir::linalg::LinalgOp op, const KernelContext &kernel,
                          llvm::SmallVectorImpl<int64_t> &targets) const override;
  void convolutionTargets(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> order,
                          llvm::SmallVectorImpl<int64_t> &targets) const override;
  int64_t reductionColumns(int64_t columns, int64_t others) const override;
  TransposeTile transposeTile(int64_t bytes) const override;
  bool keepsWhole(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops, bool hasFusedInput) const override;
  void cutContraction(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops, bool hasFusedInput,
                      llvm::SmallVectorImpl<int64_t> &steps) const override;

private:
  int64_t lanes() const { return device().subgroupSize.value; }
  /// Returns the M tile of a contraction with a large K: 128 or a smaller power of two, the most that leaves tiles for
  /// all cores. Its rows share one step of the right operand, which stays in a cache. Returns 0 for other contractions.
  int64_t rowsForLargeK(mlir::linalg::LinalgOp op) const;
  int64_t contiguousTile(int64_t columns, int64_t others, int64_t most) const;
};

} // namespace fuselage
