// GPUs of which no more is known than what holds for all.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// Workgroups of up to 256 threads that hold 4 by 4 results of a contraction each and copy its operands to workgroup
/// memory. Reductions of a contraction are split where the device is known to have more multiprocessors than tiles.
class GenericGpuStrategy : public TargetStrategy {
public:
  explicit GenericGpuStrategy(const DeviceModel &device, const TileTargets &sizes = {});

  std::optional<int64_t> multiprocessors() const override;
  bool shouldSplitReduction(int64_t results, int64_t iterations, int64_t elementBytes) const override;

protected:
  void contractionTargets(mlir::linalg::LinalgOp op, const KernelContext &kernel,
                          llvm::SmallVectorImpl<int64_t> &targets) const override;
  void convolutionTargets(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> order,
                          llvm::SmallVectorImpl<int64_t> &targets) const override;
  TransposeTile transposeTile(int64_t bytes) const override;
};

} // namespace fuselage
