#include "core/transforms/workgroups/strategy/SoftwareSubgroupStrategy.h"
#include "core/transforms/workgroups/sizes/LaneSizes.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

static TileTargets subgroupSizes(int64_t lanes) {
  constexpr int64_t vectorWidth = 4;
  TileTargets sizes;
  sizes.contractionRows = 16;
  sizes.contractionColumns = vectorWidth * lanes;
  sizes.elementwiseElements = 2048;
  sizes.reductionElements = 1;
  sizes.reductionRows = lanes;
  sizes.reductionColumns = vectorWidth * lanes;
  sizes.longReduction = int64_t(1) << 18;
  return sizes;
}

SoftwareSubgroupStrategy::SoftwareSubgroupStrategy(const DeviceModel &device)
    : TargetStrategy(device, subgroupSizes(device.subgroupSize.value)) {}

//===-- Contractions ------------------------------------------------------===//

/// Returns true if K is at least 4096. The right operand of a tile (32 columns with 8 lanes) then has 512 KiB of f32,
/// more than the caches of a core hold: each tile of rows would read it from the last-level cache again.
static bool hasLargeK(ArrayRef<unsigned> reductions, ArrayRef<int64_t> ranges) {
  constexpr int64_t largeK = 4096;
  int64_t k = 1;
  for (unsigned loop : reductions)
    k = ShapedType::isDynamic(ranges[loop]) || k >= largeK ? k : k * std::max<int64_t>(ranges[loop], 1);
  return k >= largeK;
}

int64_t SoftwareSubgroupStrategy::rowsForLargeK(linalg::LinalgOp op) const {
  linalg::ContractionDimensions dims = *contractionDims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (dims.m.empty() || dims.n.empty() || llvm::any_of(ranges, ShapedType::isDynamic) || !hasLargeK(dims.k, ranges))
    return 0;
  constexpr int64_t leastTiles = 4 * kAssumedSoftwareCores, mostRows = 128;
  int64_t results = iterationsOf(dims.batch, ranges) * iterationsOf(dims.m, ranges) * iterationsOf(dims.n, ranges);
  for (int64_t rows = mostRows; rows > sizes().contractionRows; rows /= 2)
    if (results / (rows * sizes().contractionColumns) >= leastTiles)
      return rows;
  return 0;
}

/// Returns the tile of a loop of `columns` iterations that lanes lie along: `most`, halved until there are `leastTiles`
/// tiles for all cores, but at least contractionColumns (one vector per lane). `others`: iterations of other loops.
int64_t SoftwareSubgroupStrategy::contiguousTile(int64_t columns, int64_t others, int64_t most) const {
  constexpr int64_t leastTiles = kAssumedSoftwareCores;
  int64_t tile = most;
  while (tile / 2 >= sizes().contractionColumns && llvm::divideCeil(columns, tile) * others < leastTiles)
    tile /= 2;
  return std::max(tile, sizes().contractionColumns);
}

/// Lanes lie along N, or along M if N is smaller than fewColumns and than M. In a skinny product, each lane has several
/// vectors, so that a tile reads long contiguous runs of the large operand.
void SoftwareSubgroupStrategy::contractionTargets(linalg::LinalgOp op, const KernelContext &kernel,
                                                  SmallVectorImpl<int64_t> &targets) const {
  linalg::ContractionDimensions dims = *contractionDims(op);
  if (int64_t rows = kernel.isAlone ? rowsForLargeK(op) : 0) {
    targets[dims.m.back()] = rows;
    targets[dims.n.back()] = sizes().contractionColumns;
    return;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool isKnown = llvm::none_of(ranges, ShapedType::isDynamic);
  bool alongRows = dims.n.empty() || (!dims.m.empty() && isKnown && ranges[dims.n.back()] < fewColumns &&
                                      ranges[dims.m.back()] > ranges[dims.n.back()]);
  const auto &along = alongRows ? dims.m : dims.n, &across = alongRows ? dims.n : dims.m;
  int64_t columns = sizes().contractionColumns;
  int64_t sharing = iterationsOf(across, ranges);
  if (isKnown && sharing <= fewRows &&
      innermostLoop(op.getMatchingIndexingMap(op.getDpsInputOperand(alongRows ? 0 : 1))) == along.back())
    columns =
        contiguousTile(iterationsOf(along, ranges), iterationsOf(dims.batch, ranges), lanes() * lanePoints / sharing);
  // Short rows (or columns) leave room along the loops next to them.
  shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(along)), ranges, columns, targets);
  if (!across.empty())
    shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(across)), ranges, sizes().contractionRows, targets);
}

bool SoftwareSubgroupStrategy::keepsWhole(linalg::LinalgOp op, ArrayRef<unsigned> loops, bool hasFusedInput) const {
  bool hasLargeContraction = contractionDims(op) && hasLargeK(loops, op.getStaticLoopRanges());
  return !hasFusedInput && !hasLargeContraction;
}

void SoftwareSubgroupStrategy::cutContraction(linalg::LinalgOp op, ArrayRef<unsigned> loops, bool hasFusedInput,
                                              SmallVectorImpl<int64_t> &steps) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  constexpr int64_t stepOfLargeK = 512; // whose part of the right operand stays in a cache
  if (!instructionK(op) && hasLargeK(loops, ranges))
    return cutLoops(loops, ranges, stepOfLargeK, steps);
  TargetStrategy::cutContraction(op, loops, hasFusedInput, steps);
}

//===-- Convolutions ------------------------------------------------------===//

/// Rows of a lane of a convolution. If the innermost reduction has 3 iterations (a window of 3x3), accumulators are
/// loaded and stored for every 3 multiply-adds; if columns are vectors, half of the rows then take half of the time on
/// lavapipe (128 channels, 28x28: 8.8 -> 4.6 ms).
static int64_t convolutionRows(linalg::LinalgOp op, int64_t columns, int64_t most) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  bool isShort = !reductions.empty() && op.getStaticLoopRanges()[reductions.back()] == 3;
  return isShort && laneColumns(columns) == 4 ? most / 2 : most;
}

/// Writes targets for the loops `lines`: `least` iterations together, or more as long as `leastTiles` tiles remain for
/// all cores. Large tiles pay off because each tile reads the input of its window again.
static void shareOutLines(ArrayRef<unsigned> lines, ArrayRef<int64_t> ranges, int64_t least,
                          SmallVectorImpl<int64_t> &targets) {
  constexpr int64_t leastTiles = 4 * kAssumedSoftwareCores;
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

/// Columns: the innermost loop of the result. Rows: loops that no input shares with it. Lines: all other parallel
/// loops, such as the height of the image.
void SoftwareSubgroupStrategy::convolutionTargets(linalg::LinalgOp op, ArrayRef<unsigned> order,
                                                  SmallVectorImpl<int64_t> &targets) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned column = order.front();
  targets[column] = sizes().contractionColumns;
  SmallVector<unsigned> rows, lines;
  for (unsigned loop : order.drop_front()) {
    bool isRow = llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
      AffineMap map = op.getMatchingIndexingMap(input);
      return map.isFunctionOfDim(column) && map.isFunctionOfDim(loop);
    });
    (isRow ? rows : lines).push_back(loop);
  }
  if (ShapedType::isDynamic(ranges[column]))
    return shareOut(rows, ranges, sizes().contractionRows, targets);
  int64_t columns = pickTile(ranges[column], sizes().contractionColumns, LastTile::Short);
  shareOut(rows, ranges, convolutionRows(op, columns, sizes().contractionRows), targets);
  // Where a line has too few columns for all lanes, they take several lines.
  int64_t lanesOfLine = std::max<int64_t>(columns / laneColumns(columns), 1);
  constexpr int64_t iterationsOfLane = 2;
  shareOutLines(lines, ranges, std::max<int64_t>(iterationsOfLane * lanes() / lanesOfLine, 1), targets);
}

//===-- Reductions and elementwise ops ------------------------------------===//

int64_t SoftwareSubgroupStrategy::reductionColumns(int64_t columns, int64_t others) const {
  return contiguousTile(columns, others, lanes() * lanePoints);
}

TargetStrategy::TransposeTile SoftwareSubgroupStrategy::transposeTile(int64_t bytes) const {
  // Writes fill whole cache lines; reads are contiguous for 256 elements, so that the processor prefetches them.
  constexpr int64_t readElements = 256, side = 32;
  int64_t line = device().cacheLineBytes.value / bytes;
  return {.written = line > 0 ? line : side, .read = readElements};
}

bool SoftwareSubgroupStrategy::shouldSplitReduction(int64_t results, int64_t iterations, int64_t) const {
  return results <= lanes() && results * iterations >= costs().elementsOfSoftwareLaunch;
}

LongReductionOptions SoftwareSubgroupStrategy::longReductions() const {
  return {.limits = {{.mostResults = lanes() / 2, .leastIterations = 1024},
                     {.mostResults = lanes(), .leastIterations = 8192}},
          .partials = lanes() * lanePoints,
          .workgroupPartials = 0,
          .workgroups = 16,
          .fusesInputs = true};
}

//===-- Threads -----------------------------------------------------------===//

ThreadOptions SoftwareSubgroupStrategy::threads() const {
  ThreadOptions options = TargetStrategy::threads();
  options.lanes = lanes();
  options.continuesInRegisters = true;
  return options;
}

AttentionTileOptions SoftwareSubgroupStrategy::attentionTiles() const {
  return {.choice = AttentionTileOptions::Choice::Subgroup, .workgroupBytes = workgroupBytes(), .lanes = lanes()};
}

} // namespace fuselage
