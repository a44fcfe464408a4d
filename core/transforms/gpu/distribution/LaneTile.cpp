#include "core/transforms/gpu/distribution/LaneTile.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/sizes/LaneSizes.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t vectorWidth = 4; ///< elements of 32 bits that one instruction moves
constexpr int64_t mostSide = 8;    ///< of a square that is transposed in registers
constexpr int64_t mostRows = 16;   ///< of a piece, of four columns each

/// Elements that one instruction moves of the narrowest of the op's buffers.
int64_t widestVector(linalg::LinalgOp op) {
  int64_t width = vectorWidth;
  for (Value buffer : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(buffer.getType()); type && type.getElementType().isIntOrFloat())
      if (int64_t bits = type.getElementTypeBitWidth(); bits == 8 || bits == 16)
        width = std::max(width, vectorWidth * 32 / bits);
  return width;
}

/// As many of `extent` as a vector has, or a half or a quarter of one, if they come out even.
int64_t vectorOf(int64_t extent, int64_t width) {
  for (; width >= vectorWidth; width /= 2)
    if (extent % width == 0)
      return width;
  return 1;
}

/// Neighbouring vectors of a lane, of `vectors` in all; those of all lanes are contiguous: long runs of
/// memory are read in a row then, and what all lanes need is read once for all of them. The number that leaves the
/// fewest lanes idle.
int64_t vectorsOfLane(int64_t vectors, int64_t most, int64_t lanes) {
  constexpr int64_t others = 2; // what a step takes besides, in vectors
  int64_t best = 1, least = std::numeric_limits<int64_t>::max();
  for (int64_t count = 1; count <= std::min(most, vectors); ++count) {
    int64_t steps = llvm::divideCeil(vectors / count, lanes) * (count + others);
    if (vectors % count == 0 && steps < least) {
      best = count;
      least = steps;
    }
  }
  return best;
}

/// Sizes by loop of a reduction; neighbours along the columns that stay together.
int64_t shapeReduction(linalg::LinalgOp op, unsigned column, int64_t lanes, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineMap> laneMaps, otherMaps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    (map.isFunctionOfDim(column) ? laneMaps : otherMaps).push_back(map);
  }
  auto uses = [](ArrayRef<AffineMap> maps, unsigned loop) {
    return llvm::any_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  };
  int64_t rows = 1;
  bool hasAll = true;
  for (unsigned loop = sizes.size(); loop-- > 0;)
    if (iterators[loop] == utils::IteratorType::parallel && loop != column && uses(otherMaps, loop) &&
        !uses(laneMaps, loop)) {
      for (int64_t size = std::min(ranges[loop], mostRows / rows); size > 1; --size)
        if (ranges[loop] % size == 0) {
          sizes[loop] = size;
          break;
        }
      hasAll &= sizes[loop] == ranges[loop];
      rows *= sizes[loop];
    }
  // A row that is summed up is a lane's own; its vectors go along the reduction.
  auto isAlong = [&](AffineMap map) { return innermostLoop(map) == column; };
  if (rows > 1)
    sizes[column] = laneColumns(ranges[column]);
  else if (llvm::any_of(laneMaps, isAlong))
    sizes[column] = vectorOf(ranges[column], std::clamp(int64_t(llvm::bit_floor(uint64_t(ranges[column] / lanes))),
                                                        vectorWidth, widestVector(op)));
  else if (!otherMaps.empty())
    sizes[column] = vectorOf(ranges[column], vectorWidth);
  int64_t width = sizes[column], results = rows * width * op.getNumDpsInits();
  if (width % vectorWidth != 0 || rows > fewRows || !hasAll || !llvm::all_of(laneMaps, isAlong))
    return 0;
  sizes[column] = width * vectorsOfLane(ranges[column] / width, lanePoints / results, lanes);
  return width;
}

/// The loop that lanes lie along: the innermost of the result that makes more than one iteration; where a contraction
/// has only a few columns, its rows.
std::optional<unsigned> laneLoop(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> loops; // innermost first
  for (AffineExpr expr : llvm::reverse(op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && ranges[dim.getPosition()] > 1)
      loops.push_back(dim.getPosition());
  if (loops.empty())
    return std::nullopt;
  std::optional<linalg::ContractionDimensions> dims = contractionDims(op);
  if (dims && ranges[loops.front()] < fewColumns && llvm::is_contained(dims->n, loops.front()))
    for (unsigned loop : loops)
      if (llvm::is_contained(dims->m, loop) && ranges[loop] > ranges[loops.front()])
        return loop;
  return loops.front();
}

/// Sizes by loop of an elementwise op.
void shapeElementwise(linalg::LinalgOp op, unsigned column, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t width = widestVector(op);
  sizes[column] = vectorOf(ranges[column], width);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<unsigned> inner = innermostLoop(map);
    if (inner && *inner != column && map.isFunctionOfDim(column)) {
      sizes[column] = vectorOf(ranges[column], std::min(width, mostSide));
      sizes[*inner] = vectorOf(ranges[*inner], std::min(width, mostSide));
      return;
    }
  }
}

} // namespace

std::optional<RegisterTile> pickLaneTile(linalg::LinalgOp op, int64_t lanes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes(ranges.size(), 1);
  if (op.getNumDpsInits() == 0 || !carriesOutputs(op) || llvm::any_of(ranges, [](int64_t range) { return range <= 0; }))
    return std::nullopt;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  RegisterTile tile;
  if (std::optional<unsigned> column = laneLoop(op); column && op.getNumReductionLoops())
    tile.together = shapeReduction(op, *column, lanes, sizes);
  else if (column)
    shapeElementwise(op, *column, sizes);
  for (auto [range, size, iterator] : llvm::zip_equal(ranges, sizes, iterators)) {
    if (iterator != utils::IteratorType::parallel)
      continue;
    tile.sizes.push_back(size);
    tile.counts.push_back(range / size);
    tile.points *= size;
    if (llvm::MulOverflow(tile.threads, range / size, tile.threads) || tile.threads > (int64_t(1) << 30))
      return std::nullopt;
  }
  return tile;
}

/// Iterations of the innermost reduction loop that a lane does together. Where each lane reads a row of its own, those
/// of a whole line of the cache: the rows of all lanes may be too many for the next visit to find it there.
static int64_t stepsTogether(linalg::LinalgOp op, const RegisterTile &tile) {
  constexpr int64_t line = 64, mostBodies = 256, least = 4;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  int64_t steps = least;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<unsigned> inner = innermostLoop(map);
    Type element = getElementTypeOrSelf(input->get().getType());
    bool differs = llvm::any_of(llvm::zip_equal(parallel, tile.counts), [&](auto loop) {
      return std::get<1>(loop) > 1 && map.isFunctionOfDim(std::get<0>(loop));
    });
    if (differs && inner && iterators[*inner] == utils::IteratorType::reduction && map.isProjectedPermutation() &&
        element.isIntOrFloat())
      steps = std::max<int64_t>(steps, line * 8 / std::max(element.getIntOrFloatBitWidth(), 8u));
  }
  while (steps > least && tile.points * steps > mostBodies)
    steps /= 2;
  return steps;
}

LaneSharing sharedByLanes(linalg::LinalgOp op, const RegisterTile &tile, Value lane, int64_t lanes) {
  LaneSharing sharing{.lane = lane, .lanes = lanes, .sizes = tile.sizes, .inputs = {}};
  if (op.getNumReductionLoops() == 0)
    return sharing;
  sharing.steps = stepsTogether(op, tile);
  SmallVector<unsigned> parallel, differing;
  op.getParallelDims(parallel);
  // Pieces are counted with the last loop fastest: where that takes whole rounds, lanes differ along it alone.
  for (size_t dim = tile.counts.size(); dim-- > 0;)
    if (tile.counts[dim] > 1) {
      differing.push_back(parallel[dim]);
      if (tile.counts[dim] % lanes == 0)
        break;
    }
  if (differing.empty())
    return sharing;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto type = dyn_cast<MemRefType>(input->get().getType());
    if (!type || !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() != 32 ||
        llvm::any_of(differing, [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
      continue;
    bool differs = false;
    for (auto [dim, size] : llvm::zip_equal(parallel, tile.sizes))
      differs |= size > 1 && map.isFunctionOfDim(dim);
    if (differs)
      sharing.inputs.push_back(input->getOperandNumber());
  }
  return sharing;
}

} // namespace fuselage
