#include "core/transforms/gpu/distribution/LaneTile.h"
#include "core/transforms/workgroups/TilingPolicy.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t vectorWidth = 4; ///< elements of 32 bits that one instruction moves
constexpr int64_t mostSide = 8;    ///< of a square that is transposed in registers
constexpr int64_t mostRows = 16;   ///< of a piece: more accumulators than that live in memory anyway

/// The loop that walks the innermost dimension of `map`, if one does alone.
std::optional<unsigned> innermostLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

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

/// Sizes by loop of a reduction.
void shapeReduction(linalg::LinalgOp op, std::optional<unsigned> column, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (!column)
    return;
  SmallVector<AffineMap> laneMaps, otherMaps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    (map.isFunctionOfDim(*column) ? laneMaps : otherMaps).push_back(map);
  }
  auto uses = [](ArrayRef<AffineMap> maps, unsigned loop) {
    return llvm::any_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  };
  int64_t rows = 1;
  for (unsigned loop = sizes.size(); loop-- > 0;)
    if (iterators[loop] == utils::IteratorType::parallel && loop != *column && uses(otherMaps, loop) && !uses(laneMaps, loop)) {
      for (int64_t size = std::min(ranges[loop], mostRows / rows); size > 1; --size)
        if (ranges[loop] % size == 0) {
          sizes[loop] = size;
          break;
        }
      rows *= sizes[loop];
    }
  // A row that is summed up is a lane's own; its vectors go along the reduction.
  bool alongColumn = llvm::any_of(laneMaps, [&](AffineMap map) { return innermostLoop(map) == column; });
  if (rows > 1)
    sizes[*column] = laneColumns(ranges[*column]);
  else if (alongColumn || !otherMaps.empty())
    sizes[*column] = vectorOf(ranges[*column], widestVector(op));
}

/// Sizes by loop of an elementwise op.
void shapeElementwise(linalg::LinalgOp op, std::optional<unsigned> column, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!column)
    return;
  int64_t width = widestVector(op);
  sizes[*column] = vectorOf(ranges[*column], width);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<unsigned> inner = innermostLoop(map);
    if (inner && *inner != *column && map.isFunctionOfDim(*column)) {
      sizes[*column] = vectorOf(ranges[*column], std::min(width, mostSide));
      sizes[*inner] = vectorOf(ranges[*inner], std::min(width, mostSide));
      return;
    }
  }
}

} // namespace

std::optional<RegisterTile> pickLaneTile(linalg::LinalgOp op, int64_t) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes(ranges.size(), 1);
  if (op.getNumDpsInits() == 0 || !carriesOutputs(op) || llvm::any_of(ranges, [](int64_t range) { return range <= 0; }))
    return std::nullopt;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  // The innermost loop of the result that makes more than one iteration.
  std::optional<unsigned> column;
  for (AffineExpr expr : llvm::reverse(output.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && !column && ranges[dim.getPosition()] > 1)
      column = dim.getPosition();
  op.getNumReductionLoops() ? shapeReduction(op, column, sizes) : shapeElementwise(op, column, sizes);
  RegisterTile tile;
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

LaneSharing sharedByLanes(linalg::LinalgOp op, const RegisterTile &tile, Value lane, int64_t lanes) {
  LaneSharing sharing{.lane = lane, .lanes = lanes, .sizes = tile.sizes, .inputs = {}};
  if (op.getNumReductionLoops() == 0)
    return sharing;
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
