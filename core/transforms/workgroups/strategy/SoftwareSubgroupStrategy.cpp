// Tiles for lanes: how much of an op one subgroup takes.
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

bool isDeep(ArrayRef<unsigned> reductions, ArrayRef<int64_t> ranges, const TilingPolicy &policy) {
  int64_t depth = 1;
  for (unsigned loop : reductions)
    depth = ShapedType::isDynamic(ranges[loop]) || depth >= policy.deepContraction
                ? depth
                : depth * std::max<int64_t>(ranges[loop], 1);
  return policy.lanes > 0 && depth >= policy.deepContraction;
}

/// Rows that share a step's part of the right operand, of a deep contraction, as long as all processors have enough to
/// do; 0 for others.
static int64_t deepRows(linalg::LinalgOp op, const linalg::ContractionDimensions &dims, const TilingPolicy &policy) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (dims.m.empty() || dims.n.empty() || llvm::any_of(ranges, ShapedType::isDynamic) ||
      !isDeep(dims.k, ranges, policy))
    return 0;
  constexpr int64_t leastTiles = 32;
  int64_t results = iterationsOf(dims.batch, ranges) * iterationsOf(dims.m, ranges) * iterationsOf(dims.n, ranges);
  for (int64_t rows = policy.deepRows; rows > policy.contractionRows; rows /= 2)
    if (results / (rows * policy.contractionColumns) >= leastTiles)
      return rows;
  return 0;
}

/// As many of `columns` as `most` says, or half of that and so on, until there is something to do for all processors;
/// what a vector of each lane has at least.
static int64_t runOf(int64_t columns, int64_t others, int64_t most, const TilingPolicy &policy) {
  constexpr int64_t leastTiles = 8;
  int64_t run = most;
  while (run / 2 >= policy.contractionColumns && llvm::divideCeil(columns, run) * others < leastTiles)
    run /= 2;
  return std::max(run, policy.contractionColumns);
}

int64_t laneSumColumns(int64_t columns, int64_t others, const TilingPolicy &policy) {
  return runOf(columns, others, policy.lanes * lanePoints, policy);
}

void laneContractionTargets(linalg::LinalgOp op, const linalg::ContractionDimensions &dims, const TilingPolicy &policy,
                            SmallVectorImpl<int64_t> &targets) {
  if (int64_t rows = deepRows(op, dims, policy)) {
    targets[dims.m.back()] = rows;
    targets[dims.n.back()] = policy.contractionColumns;
    return;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool isKnown = llvm::none_of(ranges, ShapedType::isDynamic);
  bool alongRows = dims.n.empty() || (!dims.m.empty() && isKnown && ranges[dims.n.back()] < fewColumns &&
                                      ranges[dims.m.back()] > ranges[dims.n.back()]);
  const auto &along = alongRows ? dims.m : dims.n, &across = alongRows ? dims.n : dims.m;
  int64_t columns = policy.contractionColumns;
  int64_t sharing = iterationsOf(across, ranges);
  if (isKnown && sharing <= fewRows &&
      innermostLoop(op.getMatchingIndexingMap(op.getDpsInputOperand(alongRows ? 0 : 1))) == along.back())
    columns = runOf(iterationsOf(along, ranges), iterationsOf(dims.batch, ranges), policy.lanes * lanePoints / sharing,
                    policy);
  // Short rows (or columns) leave room along the loops next to them.
  shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(along)), ranges, columns, targets);
  if (!across.empty())
    shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(across)), ranges, policy.contractionRows, targets);
}

/// Rows of a convolution that lanes compute with each column. Sums of three steps, as a window of 3x3 has them, are
/// fetched and put back for each three of their terms: software Vulkan takes half of the time for half of the rows
/// then, where columns are vectors.
static int64_t convolutionRows(linalg::LinalgOp op, int64_t columns, const TilingPolicy &policy) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  bool isShort = !reductions.empty() && op.getStaticLoopRanges()[reductions.back()] == 3;
  return isShort && laneColumns(columns) == 4 ? policy.contractionRows / 2 : policy.contractionRows;
}

/// Lines of a tile: twice as many as there are lanes for, and on as long as there is something to do for all
/// processors, since each tile reads what its rows need anew.
static void shareOutLines(ArrayRef<unsigned> lines, ArrayRef<int64_t> ranges, int64_t least,
                          SmallVectorImpl<int64_t> &targets) {
  constexpr int64_t leastTiles = 32;
  auto tiles = [&] {
    int64_t product = 1;
    for (auto [range, target] : llvm::zip_equal(ranges, targets))
      product *= target > 0 && !ShapedType::isDynamic(range) ? llvm::divideCeil(range, target) : 1;
    return product;
  };
  int64_t most = iterationsOf(lines, ranges);
  shareOut(lines, ranges, least, targets);
  for (int64_t count = least + 1; count <= most; ++count) {
    if (most % count != 0)
      continue;
    SmallVector<int64_t> before(targets.begin(), targets.end());
    shareOut(lines, ranges, count, targets);
    if (tiles() < leastTiles)
      return void(targets.assign(before.begin(), before.end()));
  }
}

void laneConvolutionTargets(linalg::LinalgOp op, ArrayRef<unsigned> order, const TilingPolicy &policy,
                            SmallVectorImpl<int64_t> &targets) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned column = order.front();
  targets[column] = policy.contractionColumns;
  SmallVector<unsigned> rows, lines;
  for (unsigned loop : order.drop_front()) {
    bool isRow = llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
      AffineMap map = op.getMatchingIndexingMap(input);
      return map.isFunctionOfDim(column) && map.isFunctionOfDim(loop);
    });
    (isRow ? rows : lines).push_back(loop);
  }
  if (ShapedType::isDynamic(ranges[column]))
    return shareOut(rows, ranges, policy.contractionRows, targets);
  int64_t columns = pickTile(ranges[column], policy.contractionColumns, LastTile::Short, policy);
  shareOut(rows, ranges, convolutionRows(op, columns, policy), targets);
  // Where a line has too few columns for all lanes, they take several lines.
  int64_t pieces = std::max<int64_t>(columns / laneColumns(columns), 1);
  shareOutLines(lines, ranges, std::max<int64_t>(2 * policy.lanes / pieces, 1), targets);
}

int64_t laneColumns(int64_t extent) { return extent % 4 == 0 ? 4 : largestDivisor(extent, 8); }

} // namespace fuselage
