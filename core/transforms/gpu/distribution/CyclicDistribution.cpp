#include "core/transforms/gpu/distribution/CyclicDistribution.h"
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {

/// Whether `width` neighbours along the innermost loop of an op without reductions are vectors of each buffer, or one
/// element of it.
static bool movesInVectors(linalg::LinalgOp op, int64_t width) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (op.getNumReductionLoops() != 0 || ranges.empty() || ShapedType::isDynamic(ranges.back()) ||
      ranges.back() % width != 0)
    return false;
  // What the body picks for neighbours comes faster for neighbouring threads.
  if (llvm::any_of(op.getBlock()->getOperations(), llvm::IsaPred<memref::LoadOp>))
    return false;
  unsigned inner = ranges.size() - 1;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return true;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isFunctionOfDim(inner))
      return !op.isDpsInit(&operand);
    return map.getNumResults() != 0 && map.getResults().back() == getAffineDimExpr(inner, op.getContext()) &&
           llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(inner); }) &&
           isReadInVectors(operand.get(), width);
  });
}

/// Neighbours that a thread moves together: 16 bytes of the widest elements, as far as there are so many for all
/// threads; or one.
static int64_t widthFor(linalg::LinalgOp op, int64_t threads) {
  int64_t points = 1;
  for (int64_t extent : staticParallelExtents(op))
    points *= std::max<int64_t>(extent, 1);
  int64_t bits = 8;
  for (OpOperand &operand : op->getOpOperands())
    if (Type element = getElementTypeOrSelf(operand.get().getType());
        element.isIntOrFloat() && isa<MemRefType>(operand.get().getType()))
      bits = std::max<int64_t>(bits, element.getIntOrFloatBitWidth());
  for (int64_t width = 128 / bits; width >= 4; width /= 2)
    if (movesInVectors(op, width) && (width == 4 || points >= width * threads))
      return width;
  return 1;
}

/// The element at `indices`; or, beyond a width of one, that many neighbours along the last of them, which counts such
/// rows.
static void emitElements(RewriterBase &rewriter, linalg::LinalgOp op, SmallVector<Value> indices, int64_t width) {
  Location loc = op.getLoc();
  if (width == 1)
    return emitPoint(rewriter, op, indices);
  Value first = rewriter.createOrFold<arith::MulIOp>(loc, indices.back(), indexConstant(rewriter, loc, width));
  SmallVector<SmallVector<Value>> points;
  for (int64_t offset = 0; offset < width; ++offset) {
    indices.back() =
        offset == 0 ? first : arith::AddIOp::create(rewriter, loc, first, indexConstant(rewriter, loc, offset));
    points.push_back(indices);
  }
  emitPoints(rewriter, op, points);
}

void distributeCyclically(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, int64_t threads, bool inVectors) {
  Location loc = op.getLoc();
  SmallVector<Value> extents = parallelExtents(rewriter, op);
  int64_t width = inVectors ? widthFor(op, threads) : 1;
  if (width > 1)
    extents.back() = indexConstant(rewriter, loc, *getConstantIntValue(extents.back()) / width);
  Value total = indexConstant(rewriter, loc, 1);
  for (Value extent : extents)
    total = rewriter.createOrFold<arith::MulIOp>(loc, total, extent);
  std::optional<int64_t> count = getConstantIntValue(total);
  if (count && *count == threads)
    return emitElements(rewriter, op, delinearize(rewriter, loc, thread, extents), width);
  OpBuilder::InsertionGuard guard(rewriter);
  if (constexpr int64_t mostRounds = 8; inVectors && count && *count % threads == 0 && *count <= mostRounds * threads) {
    // Where a round is whole rows, the next one is the same columns some rows further on: an address and a constant.
    int64_t row = getConstantIntValue(extents.back()).value_or(0);
    bool isPlane =
        extents.size() > 1 && row > 0 && threads % row == 0 &&
        llvm::all_of(ArrayRef(extents).drop_back(2), [](Value extent) { return isConstantIntValue(extent, 1); });
    SmallVector<Value> own;
    if (isPlane) {
      own.assign(extents.size() - 2, indexConstant(rewriter, loc, 0));
      llvm::append_range(own, delinearize(rewriter, loc, thread, ArrayRef(extents).take_back(2)));
    }
    for (int64_t first = 0; first < *count; first += threads) {
      SmallVector<Value> indices = own;
      if (!isPlane)
        indices = delinearize(rewriter, loc,
                              rewriter.createOrFold<arith::AddIOp>(loc, thread, indexConstant(rewriter, loc, first)),
                              extents);
      else if (first != 0)
        indices[indices.size() - 2] = arith::AddIOp::create(rewriter, loc, indices[indices.size() - 2],
                                                            indexConstant(rewriter, loc, first / row));
      emitElements(rewriter, op, indices, width);
    }
    return;
  }
  auto loop = scf::ForOp::create(rewriter, loc, thread, total, indexConstant(rewriter, loc, threads));
  rewriter.setInsertionPointToStart(loop.getBody());
  emitElements(rewriter, op, delinearize(rewriter, loc, loop.getInductionVar(), extents), width);
}

} // namespace fuselage
