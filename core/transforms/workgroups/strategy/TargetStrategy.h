// How kernels are made for one kind of device: tile sizes, memory, threads, reductions.
#pragma once
#include "core/device/DeviceCosts.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/strategy/StrategyOptions.h"
#include <memory>
#include <vector>

namespace fuselage {

/// Tile sizes in elements along one loop unless said otherwise. A tile is the largest divisor of the loop's range that
/// does not exceed its target (see PickTile.h), so that every tile has one static shape.
struct TileTargets {
  int64_t contractionRows = 32;       ///< innermost M loop
  int64_t contractionColumns = 64;    ///< innermost N loop, or innermost M loop if there is no N
  int64_t contractionStep = 32;       ///< K iterations per serial step, all reduction loops together
  int64_t convolutionChannels = 16;   ///< input channels per serial step
  int64_t elementwiseElements = 1024; ///< elements of a tile, all loops together, innermost first
  int64_t reductionElements = 512;    ///< input elements per workgroup: it has this / row length rows, ...
  int64_t reductionRows = 4;          ///< ... but at least this many, and at most reductionColumns
  int64_t reductionColumns = 64;      ///< elements of the result, if an input's innermost loop is parallel
  int64_t longReduction = 4096;       ///< a reduction of more iterations is cut into serial steps ...
  int64_t reductionStep = 1024;       ///< ... of this many; with fused inputs, one of more than this is, too
};

/// The decisions of code generation that depend on the kind of device. Chosen once, by strategyFor(); no other code
/// depends on the kind of device.
class TargetStrategy {
public:
  virtual ~TargetStrategy() = default;

  //===-- Limits ------------------------------------------------------------===//

  const DeviceModel &device() const { return device_; }
  const DeviceCosts &costs() const { return costs_; }
  /// Workgroup memory for tiles, in bytes: a 32nd of it is left for what passes add to them.
  int64_t workgroupBytes() const { return device_.usableWorkgroupBytes() - device_.usableWorkgroupBytes() / 32; }
  /// The number of multiprocessors that a kernel should occupy. Nullopt if it is unknown, or if splitting work for them
  /// does not pay off (a few cores have enough tiles).
  virtual std::optional<int64_t> multiprocessors() const { return std::nullopt; }
  /// multiprocessors(), or kAssumedMultiprocessors if that is nullopt.
  int64_t multiprocessorsOrUsual() const;
  /// The shapes of matrix instructions that kernels use: "m16n8k16 f16".
  llvm::ArrayRef<std::string> matrixShapes() const { return matrixShapes_; }

  //===-- Tile sizes --------------------------------------------------------===//

  /// Target tile by loop; 0 for loops that are not parallel. Requested sizes (TilingConfig.h) are the targets.
  llvm::SmallVector<int64_t> workgroupTargets(mlir::TilingInterface op, const KernelContext &kernel = {}) const;
  /// Serial steps by loop, 0 for a loop that stays whole; empty if no loop is tiled. Requested steps (TilingConfig.h)
  /// are used if each divides its loop. `hasFusedInput`: an input is computed in the same workgroup, so that a long row
  /// costs memory.
  llvm::SmallVector<int64_t> reductionSteps(mlir::TilingInterface op, bool hasFusedInput) const;
  /// The same for an op in a loop over workgroups that was not planned (KernelPlan.h), such as that of attention.
  virtual llvm::SmallVector<int64_t> unplannedSteps(mlir::TilingInterface op, bool hasFusedInput) const;
  /// Iterations of a contraction's reduction loops in one serial step.
  int64_t contractionStep() const { return sizes_.contractionStep; }
  /// Candidate tiles of the innermost M and N loops of `op`, with up to 8 by 8 results per thread, largest first. Empty
  /// if `op` is not a contraction that suits them, or if threads lack registers.
  virtual llvm::SmallVector<WideTile> wideTiles(mlir::linalg::LinalgOp op, const KernelContext &kernel) const;
  /// Returns the tile of wideTiles() with the shortest predicted time on all multiprocessors; nullopt if there is none.
  /// Callers use it without rounding, even if it does not divide the loops.
  virtual std::optional<WideTile> pickWideTile(mlir::linalg::LinalgOp op, const KernelContext &kernel) const;
  /// Returns K of the matrix instruction (see MatrixShape.h) that computes contraction `op`: 16 for f16 and bf16, 8 for
  /// f32 as tf32, 32 for i8. Returns 0 if the device has none for these types, if the innermost M or N loop is shorter
  /// than the instruction, or if K does not divide the innermost reduction loop and `uneven` is false.
  int64_t instructionK(mlir::linalg::LinalgOp op, bool uneven = false) const;

  //===-- Kernels and their memory ------------------------------------------===//

  /// Operands of contractions are copied to workgroup memory.
  virtual bool promotesOperands() const { return true; }
  /// Results of contractions, and of elementwise ops after them, take no workgroup memory.
  virtual bool keepsResultsInRegisters() const { return false; }
  /// Ops that compute an operand of a contraction or convolution may be in its kernel.
  virtual bool fusesOperandProducers() const { return true; }
  /// Convolutions are tiled as contractions of gathered elements and the filter.
  virtual bool tilesConvolutionsAsContractions() const { return false; }
  /// The last tile of a reduction's results may overlap the one before, for tiles of one size.
  virtual bool overlapsReductionTiles() const { return false; }

  //===-- Reductions --------------------------------------------------------===//

  /// Returns the ways in which reductions are split, in the order in which they are tried.
  virtual llvm::ArrayRef<SplitKind> reductionSplits() const;
  /// Returns true if several workgroups should share each of `results` independent reductions over `iterations`
  /// elements of `elementBytes` bytes. Without that, each has one workgroup (on software devices, one lane); splitting
  /// pays off if this leaves much of the device idle for longer than a second kernel takes.
  virtual bool shouldSplitReduction(int64_t results, int64_t iterations, int64_t elementBytes) const = 0;
  /// Options of SplitKind::Strided.
  virtual LongReductionOptions longReductions() const;

  //===-- Threads -----------------------------------------------------------===//

  virtual ThreadOptions threads() const;
  /// Whether the tiles of attention are chosen for the device, rather than the usual ones.
  virtual bool choosesAttentionTiles() const { return false; }
  virtual AttentionTileOptions attentionTiles() const;
  /// Tiles are spread over the banks of workgroup memory.
  virtual bool swizzlesWorkgroupMemory() const { return false; }
  /// Options of copies to workgroup memory that run ahead; nullopt if they do not.
  virtual std::optional<AsyncCopyOptions> asyncCopies() const { return std::nullopt; }

protected:
  TargetStrategy(const DeviceModel &device, const TileTargets &sizes);

  const TileTargets &sizes() const { return sizes_; }

  virtual void contractionTargets(mlir::linalg::LinalgOp op, const KernelContext &kernel,
                                  llvm::SmallVectorImpl<int64_t> &targets) const = 0;
  /// `order`: the loops of the result, innermost first.
  virtual void convolutionTargets(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> order,
                                  llvm::SmallVectorImpl<int64_t> &targets) const = 0;
  /// Target for the innermost parallel loop of a reduction that reads contiguously along it (a reduction of columns).
  /// `columns`: the range of that loop; `others`: the iterations of all other parallel loops.
  virtual int64_t reductionColumns(int64_t columns, int64_t others) const;
  /// Sides of the tile of an op that reads along one loop and writes, in elements of so many bytes, along another.
  struct TransposeTile {
    int64_t written, read;
  };
  virtual TransposeTile transposeTile(int64_t bytes) const = 0;
  /// True if the reduction loops `loops` of a contraction or convolution stay whole.
  virtual bool keepsWhole(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops, bool hasFusedInput) const;
  /// Writes the serial steps of the reduction loops `loops` of a contraction, innermost first.
  virtual void cutContraction(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops, bool hasFusedInput,
                              llvm::SmallVectorImpl<int64_t> &steps) const;

private:
  void reductionTargets(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> order,
                        llvm::SmallVectorImpl<int64_t> &targets) const;
  void elementwiseTargets(mlir::TilingInterface op, llvm::ArrayRef<unsigned> order,
                          llvm::SmallVectorImpl<int64_t> &targets) const;

  DeviceModel device_;
  DeviceCosts costs_;
  TileTargets sizes_;
  std::vector<std::string> matrixShapes_;
};

/// Writes serial steps for the loops of `order`, innermost first, to `steps`: about `target` iterations together. Each
/// step divides its range; 0 leaves the loop whole. A range without a useful divisor up to what is left of the target
/// gets one of up to four times that, or stays whole. A dynamic range gets all that is left.
void cutLoops(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> ranges, int64_t target,
              llvm::SmallVectorImpl<int64_t> &steps);

/// The strategy for the kind of `device`: HostStrategy for the host; SoftwareSubgroupStrategy for a processor that
/// poses as a GPU and shuffles; WideSimtStrategy for a discrete GPU that takes PTX and has 128 registers a thread or
/// more; GenericGpuStrategy for all others.
std::unique_ptr<TargetStrategy> strategyFor(const DeviceModel &device);

/// The same for the device of the nearest op around `op` that has one (see deviceOf).
std::unique_ptr<TargetStrategy> strategyOf(mlir::Operation *op);

} // namespace fuselage
