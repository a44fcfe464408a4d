#include "core/transforms/gpu/distribution/PiecePoints.h"
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

/// Neighbours of a piece along a loop.
static int64_t blockOf(int64_t size, const RegisterTile &tile) {
  return tile.together && size % tile.together == 0 ? tile.together : size;
}

/// Which piece along each loop. Where rows and columns come out even, a subgroup has 4 by 8 pieces: next to each other
/// two rows, along them eight columns, then two more rows. A quarter of it then reads 16 bytes at four places of a
/// column operand and at two of a row operand, and halves read the same ones, which the hardware serves together.
static SmallVector<Value> basesOfSpread(RewriterBase &rewriter, Location loc, Value piece, const RegisterTile &tile) {
  SmallVector<size_t> loops;
  for (auto [loop, size] : llvm::enumerate(tile.sizes))
    if (size > 1)
      loops.push_back(loop);
  SmallVector<Value> counts;
  for (int64_t count : tile.counts)
    counts.push_back(indexConstant(rewriter, loc, count));
  bool isPlane = loops.size() == 2 && tile.counts[loops[0]] % 4 == 0 && tile.counts[loops[1]] % 8 == 0;
  if (!isPlane)
    return delinearize(rewriter, loc, piece, counts);
  int64_t rows = tile.counts[loops[0]], columns = tile.counts[loops[1]];
  // Warps row by row; the loops further out vary slowest.
  SmallVector<Value> parts =
      delinearize(rewriter, loc, piece,
                  {indexConstant(rewriter, loc, tile.threads / (rows * columns)),
                   indexConstant(rewriter, loc, rows / 4), indexConstant(rewriter, loc, columns / 8),
                   indexConstant(rewriter, loc, 2), indexConstant(rewriter, loc, 8), indexConstant(rewriter, loc, 2)});
  auto join = [&](Value high, int64_t by, Value low) -> Value {
    return arith::AddIOp::create(rewriter, loc,
                                 arith::MulIOp::create(rewriter, loc, high, indexConstant(rewriter, loc, by)), low);
  };
  SmallVector<Value> outer, bases(tile.sizes.size());
  SmallVector<size_t> others;
  for (size_t loop = 0; loop < tile.sizes.size(); ++loop)
    if (!llvm::is_contained(loops, loop)) {
      others.push_back(loop);
      outer.push_back(counts[loop]);
    }
  if (!others.empty())
    for (auto [loop, base] : llvm::zip_equal(others, delinearize(rewriter, loc, parts[0], outer)))
      bases[loop] = tile.counts[loop] == 1 ? indexConstant(rewriter, loc, 0) : base;
  bases[loops[0]] = join(parts[1], 4, join(parts[3], 2, parts[5]));
  bases[loops[1]] = join(parts[2], 8, parts[4]);
  return bases;
}

SmallVector<SmallVector<Value>> pointsOfPiece(RewriterBase &rewriter, Location loc, Value piece,
                                              const RegisterTile &tile) {
  SmallVector<Value> counts;
  for (int64_t count : tile.counts)
    counts.push_back(indexConstant(rewriter, loc, count));
  SmallVector<Value> bases =
      tile.together ? basesOfSpread(rewriter, loc, piece, tile) : delinearize(rewriter, loc, piece, counts);
  for (auto [base, size] : llvm::zip_equal(bases, tile.sizes))
    base = rewriter.createOrFold<arith::MulIOp>(loc, base, indexConstant(rewriter, loc, blockOf(size, tile)));
  SmallVector<SmallVector<Value>> points;
  for (int64_t point = 0; point < tile.points; ++point) {
    SmallVector<Value> indices(bases);
    int64_t rest = point;
    for (size_t dim = indices.size(); dim-- > 0;) {
      int64_t at = rest % tile.sizes[dim], block = blockOf(tile.sizes[dim], tile);
      if (int64_t offset = at % block + at / block * block * tile.counts[dim])
        indices[dim] = arith::AddIOp::create(rewriter, loc, indices[dim], indexConstant(rewriter, loc, offset));
      rest /= tile.sizes[dim];
    }
    points.push_back(std::move(indices));
  }
  return points;
}

} // namespace fuselage
