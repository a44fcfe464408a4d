#include "core/transforms/workgroups/strategy/WideTiles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

static constexpr WideTile wideTiles[] = {
    {128, 128, 1.0}, {128, 64, 0.85}, {64, 128, 0.85}, {64, 64, 0.75}, {32, 64, 0.45}};

SmallVector<WideTile> wideTilesFor(linalg::LinalgOp op, const TilingPolicy &policy) {
  std::optional<linalg::ContractionDimensions> dims = contractionDims(op);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  constexpr int64_t leastSide = 32;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (policy.units <= 0 || !dims || dims->m.empty() || dims->n.empty() || op.getNumDpsInits() != 1 ||
      !element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 32 || llvm::any_of(ranges, ShapedType::isDynamic))
    return {};
  int64_t rows = ranges[dims->m.back()], columns = ranges[dims->n.back()];
  if (rows < leastSide || columns < leastSide)
    return {};
  SmallVector<WideTile> tiles;
  for (const WideTile &tile : wideTiles) {
    if (tile.rows * tile.columns > policy.mostResults)
      continue;
    WideTile real{largestDivisor(rows, tile.rows), largestDivisor(columns, tile.columns), tile.efficiency};
    // What threads do not share evenly, or comes out far smaller, is none.
    const int64_t side = matrixDepth(op, policy, /*uneven=*/true) ? 16 : 8;
    auto isGood = [side](int64_t size, int64_t range, int64_t target) {
      return size % side == 0 && 2 * size >= std::min(range, target);
    };
    if (isGood(real.rows, rows, tile.rows) && isGood(real.columns, columns, tile.columns))
      tiles.push_back(real);
    else if (policy.canOverlap && rows >= tile.rows && columns >= tile.columns)
      tiles.push_back({isGood(real.rows, rows, tile.rows) ? real.rows : tile.rows,
                       isGood(real.columns, columns, tile.columns) ? real.columns : tile.columns, tile.efficiency});
  }
  return tiles;
}

/// Workgroups that share the rows and columns of `op`.
static int64_t countTiles(linalg::LinalgOp op, const WideTile &tile) {
  linalg::ContractionDimensions dims = *contractionDims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t tiles =
      llvm::divideCeil(ranges[dims.m.back()], tile.rows) * llvm::divideCeil(ranges[dims.n.back()], tile.columns);
  for (ArrayRef<unsigned> loops : {ArrayRef(dims.batch), ArrayRef(dims.m).drop_back(), ArrayRef(dims.n).drop_back()})
    for (unsigned loop : loops)
      tiles = std::min<int64_t>(tiles, int64_t(1) << 32) * std::max<int64_t>(ranges[loop], 1);
  return tiles;
}

std::optional<WideTile> pickWideTile(linalg::LinalgOp op, const TilingPolicy &policy) {
  std::optional<WideTile> best;
  double least = 0;
  for (const WideTile &tile : wideTilesFor(op, policy)) {
    double time = double(llvm::divideCeil(countTiles(op, tile), policy.units)) * double(tile.rows * tile.columns) /
                  tile.efficiency;
    if (best && time >= least)
      continue;
    best = tile;
    least = time;
  }
  return best;
}

} // namespace fuselage
