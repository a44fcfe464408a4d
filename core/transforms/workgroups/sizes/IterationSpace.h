// Which tile sizes: the rules as data, and the arithmetic on loop ranges that applies them.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// Targets in elements along one loop unless said otherwise. A tile is the largest divisor of the
/// loop's range that does not exceed its target, so that every tile has one static shape; pickTile tells
/// what happens where there is no good one.
struct TilingPolicy {
  int64_t contractionRows = 32;       ///< the innermost loop that only the left operand has
  int64_t contractionColumns = 64;    ///< the innermost loop that only the right operand has
  int64_t contractionDepth = 32;      ///< iterations of all reduction loops in one serial step
  int64_t convolutionInner = 32;      ///< the innermost output dimension
  int64_t convolutionMiddle = 8;      ///< the next one
  int64_t convolutionOuter = 4;       ///< the one after that; dimensions further out get 1
  int64_t convolutionChannels = 16;   ///< input channels in one serial step
  int64_t elementwiseElements = 1024; ///< elements of a tile, innermost dimension first
  int64_t transposeSide =
      32; ///< both sides of a tile that reads along one and writes along the other; or, above 0, ...
  int64_t transposeLineBytes = 0;           ///< ... so many bytes along what it writes, and ...
  int64_t transposeRun = 0;                 ///< ... so many elements along what it reads
  int64_t reductionElements = 512;          ///< elements a workgroup reduces at least, where rows are short
  int64_t reductionRows = 4;                ///< rows of a workgroup at least
  int64_t reductionColumns = 64;            ///< where the innermost input dimension is kept
  int64_t longReduction = 4096;             ///< a reduction beyond this is cut into serial steps of ...
  int64_t reductionStep = 1024;             ///< ... this many iterations
  int64_t leastDivisor = 8;                 ///< smaller divisors are a bad tile for targets above them
  int64_t maxRecomputedTiles = 4;           ///< different tiles of one cheap op that a workgroup computes
  int64_t maxWorkgroupBytes = 32768 - 1024; ///< intermediates and promoted operands of a workgroup
  int64_t deepContraction =
      4096;               ///< for lanes: a contraction of this depth or more is cut into serial steps of about ...
  int64_t deepStep = 512; ///< ... this many iterations, whose part of the right operand stays in a cache ...
  int64_t deepRows = 128; ///< ... while so many rows read it
  int64_t lanes = 0; ///< a workgroup is one subgroup of so many threads, with its tiles in registers; 0: it has more

  /// Multiprocessors of a GPU whose threads hold 8 by 8 results of a contraction and have registers for what follows
  /// it; 0: other devices.
  int64_t units = 0;
  int64_t mostResults = 128 * 128; ///< of a workgroup of such a GPU
  /// Multiprocessors of any GPU, which a deep product with few results is to fill (see DepthSplit.h); 0: nothing is
  /// split.
  int64_t processors = 0;
  bool canOverlap = false; ///< the last tile of such a contraction may compute again what the one before it has
  /// Types of operands whose matrices the device multiplies by instructions of subgroups: "f16", "bf16", "tf32", "s8".
  std::vector<std::string> matrixTypes{};
  int64_t contractionMultiple = 4; ///< overlapping tiles of contractions are multiples of this

  /// For such a GPU: contractions have the largest tile, up to 128 by 128, that keeps its multiprocessors busy. 0: the
  /// defaults.
  static TilingPolicy forUnits(int64_t units);
  /// For a device that runs on a processor: a lane has four columns of a result and up to 16 rows, or a row of a
  /// reduction; reductions stay whole where nothing is computed in their steps. 0 lanes: the defaults.
  static TilingPolicy forLanes(int64_t lanes);
};

/// Results of a reduction that a lane keeps at most: more accumulators than that live in memory anyway.
inline constexpr int64_t lanePoints = 64;
/// Where so many rows at most share what lanes read side by side, these read several vectors each.
inline constexpr int64_t fewRows = 4;
/// Fewer columns than this are too few for lanes to lie along.
inline constexpr int64_t fewColumns = 8;

/// Columns of a result that one lane computes beside each other, of a tile with `extent` of them: four, which move as a
/// vector, or else the largest divisor up to eight.
int64_t laneColumns(int64_t extent);

/// What shapes the tile of an op. Later ones weigh more when several ops share a kernel.
enum class WorkKind { Elementwise, Reduction, Convolution, Contraction };
WorkKind workKindOf(mlir::TilingInterface op);

/// On an op: it is summed up by threads that read their inputs from global memory, also where it has the form of a
/// contraction (see SumFactors.h). The number of the input that most is read from, an i64.
inline constexpr llvm::StringLiteral kThreadSumAttr = "fuselage.thread_sum";

/// The dims of a contraction with something to reuse: a row or a column loop, and a depth. Several
/// contractions of one input, merged into one op, count as the first of them. None for what carries kThreadSumAttr.
std::optional<mlir::linalg::ContractionDimensions> contractionDims(mlir::linalg::LinalgOp op);

/// Bytes of one element as buffers hold it: whole bytes, index as 8.
int64_t elementBytes(mlir::Type type);

/// True if tiles of `root` may overlap: it is a linalg op of static sizes, each of whose results has a dimension for
/// each of its loops that are parallel.
bool canOverlap(mlir::TilingInterface root);

/// Loop ranges; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> loopRanges(mlir::TilingInterface op);

/// Iterations of `loops` together, up to 2^32 and a bit; dynamic ones count as 1.
int64_t iterationsOf(llvm::ArrayRef<unsigned> loops, llvm::ArrayRef<int64_t> ranges);

/// Gives `total` elements to the parallel loops of `order`, the first as much as it takes.
void shareOut(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> ranges, int64_t total,
              llvm::SmallVectorImpl<int64_t> &targets);

/// The loop that walks the innermost dimension of `map`, if one does alone.
std::optional<unsigned> innermostLoop(mlir::AffineMap map);

/// Target tile by loop; 0 for loops that are not parallel. An op that carries sizes (TilingConfig.h) has those as
/// targets.
llvm::SmallVector<int64_t> workgroupTargets(mlir::TilingInterface op, const TilingPolicy &policy);

/// The depth of one instruction that multiplies matrices (see MatrixShape.h) where the device has one for the
/// contraction, with enough rows and columns, and a depth that it divides, or any if `uneven`; 0 where not.
int64_t matrixDepth(mlir::linalg::LinalgOp op, const TilingPolicy &policy, bool uneven = false);

/// Serial steps by loop, 0 for a loop that stays whole; empty when no loop is cut.
/// An op that carries steps (TilingConfig.h) has those, where each divides its loop.
/// `hasFusedInput`: an input is computed in the same workgroup, so that a long row costs memory.
llvm::SmallVector<int64_t> reductionSteps(mlir::TilingInterface op, const TilingPolicy &policy, bool hasFusedInput);

/// The tile that the default pipeline would start from, of loops over `ranges`; of a dynamic one that stays whole, the
/// range.
llvm::SmallVector<int64_t> suggestedTile(mlir::TilingInterface op, llvm::ArrayRef<int64_t> ranges);

/// The largest divisor of `range` that is at most `limit`; at least 1.
int64_t largestDivisor(int64_t range, int64_t limit);

/// What becomes of the last tile of a loop that the tile does not divide.
enum class LastTile {
  Full,              ///< there must be none
  Short,             ///< it is smaller than the others
  Overlapping,       ///< it starts earlier, and computes again what the one before it has
  OverlappingByFours ///< the same, with tiles that registers can be cut from, also where an odd one divides the loop
};

/// A tile for a loop of `range` iterations. Whole if it fits the target; a divisor near the target
/// (up to twice as large); if there is none worth having, `target` itself where a last tile may be
/// short, about that where it may overlap, else a divisor up to four times the target, else the best
/// that there is. A dynamic range gets the target.
int64_t pickTile(int64_t range, int64_t target, LastTile last, const TilingPolicy &policy);

// For lanes (LaneTargets.cpp): a workgroup is one subgroup on a processor, whose lanes keep what they compute in
// registers.

/// True if the right operand's columns of one tile are more than a cache near the processor holds of them: all rows of
/// the tile would fetch them anew.
bool isDeep(llvm::ArrayRef<unsigned> reductions, llvm::ArrayRef<int64_t> ranges, const TilingPolicy &policy);

/// Of a contraction. Lanes lie along its columns, or along its rows where it has only a few columns. Where few results
/// share what lanes read side by side, that is much of memory for little work: lanes have more of them then, so that
/// long runs are read.
void laneContractionTargets(mlir::linalg::LinalgOp op, const mlir::linalg::ContractionDimensions &dims,
                            const TilingPolicy &policy, llvm::SmallVectorImpl<int64_t> &targets);

/// Of a convolution: columns along the innermost of the result's loops, `order`, rows along loops that what is read
/// with the columns does not depend on.
void laneConvolutionTargets(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> order, const TilingPolicy &policy,
                            llvm::SmallVectorImpl<int64_t> &targets);

/// Columns of a reduction whose input lies along them, `columns` in all for each of `others`.
int64_t laneSumColumns(int64_t columns, int64_t others, const TilingPolicy &policy);

} // namespace fuselage
