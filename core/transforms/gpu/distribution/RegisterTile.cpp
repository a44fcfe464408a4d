#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "core/transforms/gpu/distribution/RowPlan.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

SmallVector<int64_t> staticParallelExtents(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents;
  SmallVector<unsigned> dims;
  op.getParallelDims(dims);
  for (unsigned dim : dims)
    extents.push_back(ranges[dim]);
  return extents;
}

namespace {

/// Whether several elements of the result read the same element of an input.
bool reusesInputs(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() > 0 && llvm::any_of(parallel, [&](unsigned dim) { return !map.isFunctionOfDim(dim); });
  });
}

/// Returns the tile of a thread for a reduction that was split among threads (see ApplySplit.h): neighbours that are 16
/// bytes of what most is read from, and all that is computed of those.
SmallVector<int64_t> sizesOfThreadReduction(linalg::LinalgOp op, ArrayRef<int64_t> extents) {
  constexpr int64_t mostPoints = 32;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  OpOperand *main = mainInput(op);
  SmallVector<int64_t> sizes(extents.size(), 1);
  if (!main)
    return sizes;
  AffineMap map = op.getMatchingIndexingMap(main);
  int64_t points = 1;
  for (auto [size, extent, loop] : llvm::zip_equal(sizes, extents, parallel))
    if (!map.isFunctionOfDim(loop) && points * extent <= mostPoints)
      points *= size = extent;
  for (auto [size, extent, loop] : llvm::zip_equal(sizes, extents, parallel))
    if (innermostLoop(map) == loop)
      for (size = elementsPerRead(op, extent); points * size > mostPoints;)
        size /= 2;
  return sizes;
}

/// Whether what the op adds up is read once, and neighbours along parallel loop `dim`, by number, are neighbours there.
bool readsOnceAlong(linalg::LinalgOp op, size_t dim) {
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  bool isAlong = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto walks = [&](unsigned loop) { return map.isFunctionOfDim(loop); };
    if (llvm::none_of(reductions, walks))
      continue; // one element for all of a row
    if (!llvm::all_of(parallel, walks))
      return false;
    isAlong |= map.getResults().back() == getAffineDimExpr(parallel[dim], op.getContext());
  }
  return isAlong;
}

} // namespace

std::optional<RegisterTile> pickRegisterTile(linalg::LinalgOp op, int64_t maxThreads, int64_t present,
                                             bool holdsLargeTiles) {
  if (op.getNumReductionLoops() == 0 || !carriesOutputs(op))
    return std::nullopt;
  SmallVector<int64_t> extents = staticParallelExtents(op);
  int64_t total = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent) || extent == 0)
      return std::nullopt;
    total *= extent;
  }
  // Columns: the innermost loop that is more than one iteration; rows: the next one outwards.
  std::optional<size_t> column, row;
  for (size_t dim = extents.size(); dim-- > 0 && !row;)
    if (extents[dim] > 1)
      (column ? row : column) = dim;
  if (holdsLargeTiles && op->hasAttr(kThreadReductionAttr)) {
    RegisterTile tile{.sizes = sizesOfThreadReduction(op, extents), .counts = {}, .wholeSteps = true};
    for (auto [extent, size] : llvm::zip_equal(extents, tile.sizes)) {
      tile.counts.push_back(extent / size);
      tile.points *= size;
      tile.threads *= extent / size;
    }
    if (tile.threads <= maxThreads)
      return tile;
  }
  using Shape = std::pair<int64_t, int64_t>;
  static constexpr Shape reuse[] = {{4, 4}, {4, 2}, {2, 4}, {2, 2}, {1, 4}, {4, 1}, {2, 1}, {1, 2}};
  static constexpr Shape large[] = {{8, 4}, {4, 8}, {8, 8}};
  SmallVector<Shape> shapes;
  if (reusesInputs(op))
    llvm::append_range(shapes, reuse);
  shapes.push_back({1, 1});
  auto build = [&](Shape shape, int64_t leastThreads) -> std::optional<RegisterTile> {
    RegisterTile tile;
    tile.sizes.assign(extents.size(), 1);
    if (column)
      tile.sizes[*column] = shape.second;
    if (row)
      tile.sizes[*row] = shape.first;
    if ((shape.second > 1 && !column) || (shape.first > 1 && !row))
      return std::nullopt;
    for (auto [extent, size] : llvm::zip_equal(extents, tile.sizes)) {
      if (extent % size != 0)
        return std::nullopt;
      tile.counts.push_back(extent / size);
    }
    tile.points = shape.first * shape.second;
    tile.threads = total / tile.points;
    if (tile.threads > maxThreads || tile.threads < leastThreads)
      return std::nullopt;
    return tile;
  };
  static constexpr Shape spread[] = {{8, 8}, {8, 4}, {4, 8}};
  if (holdsLargeTiles && reusesInputs(op))
    for (Shape shape : spread)
      if (auto tile = build(shape, std::max<int64_t>(present, 128))) {
        tile->together = 4;
        return tile;
      }
  // What is read once comes 16 bytes at a time, where a subgroup has something to do then.
  if (holdsLargeTiles && column && readsOnceAlong(op, *column))
    for (Shape shape : {Shape{1, 4}, {2, 4}, {4, 4}})
      if (auto tile = build(shape, 32))
        return tile;
  // Threads that are there anyhow would only repeat what others do.
  for (int64_t leastThreads : {present, int64_t(64), int64_t(32)})
    for (Shape shape : shapes)
      if (auto tile = build(shape, leastThreads))
        return tile;
  if (reusesInputs(op))
    for (Shape shape : large)
      if (auto tile = build(shape, 32))
        return tile;
  return build({1, 1}, 1);
}

/// Of the reductions that were split among threads, which take the most time if there is no contraction: the most
/// that one of them keeps busy; else 0.
static int64_t threadsOfReductions(Operation *root, const ThreadOptions &options) {
  int64_t most = 0;
  bool hasProduct = false;
  root->walk([&](linalg::LinalgOp op) {
    hasProduct |= contractionDims(op).has_value();
    std::optional<RegisterTile> tile = op->hasAttr(kThreadReductionAttr)
                                           ? pickRegisterTile(op, options.maxThreads, 64, options.holdsLargeTiles)
                                           : std::nullopt;
    most = std::max(most, tile ? tile->threads : 0);
  });
  return hasProduct ? 0 : most;
}

int64_t pickThreadCount(Operation *root, const ThreadOptions &options, ArrayRef<MatrixShape> matrixShapes) {
  const int64_t maxThreads = options.maxThreads;
  if (std::optional<RowPlan> plan = planRows(root, matrixShapes, maxThreads, options.holdsLargeTiles))
    return plan->threads();
  int64_t busy = 32, whole = 32;
  for (const MatrixShape &shape : matrixShapes)
    whole = std::max(whole, shape.subgroup);
  if (int64_t readers = options.holdsLargeTiles ? threadsOfReductions(root, options) : 0)
    return std::min<int64_t>(llvm::alignTo(readers, whole), maxThreads);
  root->walk([&](linalg::LinalgOp op) {
    if (std::optional<MatrixTile> tile = pickMatrixTile(op, matrixShapes, maxThreads)) {
      busy = std::max(busy, tile->threads());
      return;
    }
    if (std::optional<RegisterTile> tile = pickRegisterTile(op, maxThreads, 64, options.holdsLargeTiles)) {
      busy = std::max(busy, tile->threads);
      return;
    }
    int64_t total = 1;
    for (int64_t extent : staticParallelExtents(op))
      total *= ShapedType::isDynamic(extent) ? 128 : std::max<int64_t>(extent, 1);
    busy = std::max(busy, std::min<int64_t>(total, 128));
  });
  return std::min<int64_t>(llvm::alignTo(busy, whole), maxThreads);
}

} // namespace fuselage
