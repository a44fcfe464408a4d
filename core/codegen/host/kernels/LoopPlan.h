// How loops run on a processor: along which one vectors lie, what stays in registers, what one task is.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/kernels/LoopKernel.h"

namespace fuselage {

/// A tile of the iteration space: `rows` of the row loop by `vectors` vectors of `lanes` elements of the vector loop.
/// What a reduction adds up stays in registers for all of it. A task is a block of tiles.
struct LoopPlan {
  unsigned vectorLoop = 0;
  bool alongReduction = false; ///< lanes hold partial sums
  std::optional<unsigned> rowLoop;
  int64_t lanes = 1; ///< 1: scalars, for what vectors cannot do
  int64_t rows = 1, vectors = 1;
  int64_t rowBlock = 1, vectorBlock = 1; ///< what a task has of these loops
  bool rowsInside =
      false; ///< in a task. True: all rows for each range of vectors; false: all vectors for each range of rows
  llvm::SmallVector<unsigned> outer;      ///< the other parallel loops; a task has one iteration of each
  llvm::SmallVector<unsigned> reductions; ///< the other reductions
  std::optional<unsigned>
      transposed;           ///< an input that is dense along the row loop: tiles of it are transposed in registers
  bool fusesHalves = false; ///< f16 multiply-adds become FMAs
  int64_t tasks = 1;        ///< of the kernel
  int64_t portion = 1;      ///< tasks that a thread takes at a time
  llvm::SmallVector<unsigned>
      toPad; ///< inputs to copy first, so that the rows of a tile map to different sets of the cache
  llvm::SmallVector<unsigned>
      toPack; ///< inputs to copy first, so that they are dense along the vector loop, block after block

  /// Number of blocks of `loop` in the task space.
  int64_t blocksOf(unsigned loop, const LoopKernel &kernel) const;
};

/// Vector registers that a tile of a reduction takes.
struct TileRegisters {
  int64_t perResult = 1; ///< for each vector of each row: one for each output of the op
  int64_t perVector = 1; ///< for each vector of a row: the input that lies in vectors
  int64_t others = 1;    ///< the element of a row

  explicit TileRegisters(int64_t outputs) : perResult(outputs) {}
  int64_t needed(int64_t rows, int64_t vectors) const {
    return perResult * rows * vectors + perVector * vectors + others;
  }
};

/// Rows and vectors of the largest tiles of reductions that are worth a try, whatever registers there are.
constexpr int64_t mostTileRows = 14, mostTileVectors = 8;

/// What the kernel requests is done where registers can hold it. Nullopt where there is no order in which the loops
/// could run beside each other or in vectors.
std::optional<LoopPlan> planLoops(const LoopKernel &kernel, const HostTarget &target);

} // namespace fuselage
