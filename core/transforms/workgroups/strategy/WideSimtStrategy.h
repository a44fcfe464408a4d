// Discrete GPUs with many registers, such as NVIDIA's since 2020.
#pragma once
#include "core/transforms/workgroups/strategy/GenericGpuStrategy.h"

namespace fuselage {

/// Threads hold up to 8 by 8 results of a contraction and continue with elementwise ops in the same registers. Tiles
/// have up to 128 by 128 results; the one with the shortest predicted time is taken. Tiles and their buffers leave
/// workgroup memory for two workgroups of a multiprocessor.
class WideSimtStrategy : public GenericGpuStrategy {
public:
  explicit WideSimtStrategy(const DeviceModel &device);

  llvm::SmallVector<WideTile> wideTiles(mlir::linalg::LinalgOp op, const KernelContext &kernel) const override;
  std::optional<WideTile> pickWideTile(mlir::linalg::LinalgOp op, const KernelContext &kernel) const override;

  bool keepsResultsInRegisters() const override { return true; }
  bool tilesConvolutionsAsContractions() const override { return true; }

  llvm::ArrayRef<SplitKind> reductionSplits() const override;
  bool shouldSplitReduction(int64_t results, int64_t iterations, int64_t elementBytes) const override;

  ThreadOptions threads() const override;
  bool choosesAttentionTiles() const override { return true; }
  AttentionTileOptions attentionTiles() const override;
  bool swizzlesWorkgroupMemory() const override { return true; }
  std::optional<AsyncCopyOptions> asyncCopies() const override;

protected:
  void cutContraction(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops, bool hasFusedInput,
                      llvm::SmallVectorImpl<int64_t> &steps) const override;

private:
  /// The device's number of multiprocessors; 64 if unknown.
  /// Workgroup memory in bytes with which two workgroups fit on a multiprocessor; at least the limit without opt-in.
  int64_t sharedWorkgroupBytes() const;
  int64_t stepInFours(int64_t range) const;
  int64_t unevenStep(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops) const;
};

} // namespace fuselage
