#include "core/transforms/gpu/distribution/PairStores.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Whether `dim` walks the innermost dimension of a buffer whose rows start at multiples of two, of elements that two of are
/// a power of two of bytes.
bool hasPairs(linalg::LinalgOp op, OpOperand &init, unsigned dim) {
  auto type = dyn_cast<MemRefType>(init.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&init);
  AffineExpr along = getAffineDimExpr(dim, op.getContext());
  if (!type || map.getNumResults() == 0 || map.getResults().back() != along || op.getStaticLoopRanges()[dim] % 2 != 0 ||
      llvm::any_of(map.getResults().drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); }))
    return false;
  Type element = type.getElementType();
  return element.isIntOrFloat() && llvm::is_contained({8u, 16u, 32u}, element.getIntOrFloatBitWidth()) && startsAtMultiples(init.get(), 2);
}

} // namespace

void storeInPairs(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points, ValueRange values, unsigned loop) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<OpOperand *> inits;
  for (OpOperand &init : op.getDpsInitsMutable())
    inits.push_back(&init);
  if (points.size() % 2 != 0 || !llvm::all_of(inits, [&](OpOperand *init) { return hasPairs(op, *init, parallel[loop]); }))
    return storeOutputs(rewriter, op, points, values);
  Location loc = op.getLoc();
  for (size_t point = 0; point < points.size(); point += 2)
    for (auto [number, init] : llvm::enumerate(inits)) {
      SmallVector<Value> ivs(op.getNumLoops());
      for (auto [dim, iv] : llvm::zip_equal(parallel, points[point]))
        ivs[dim] = iv;
      auto indices = affine::expandAffineMap(rewriter, loc, op.getMatchingIndexingMap(init), ivs);
      Type element = cast<MemRefType>(init->get().getType()).getElementType();
      Value first = values[point * inits.size() + number], second = values[(point + 1) * inits.size() + number];
      Value pair = vector::FromElementsOp::create(rewriter, loc, VectorType::get(2, element), ValueRange{first, second});
      vector::StoreOp::create(rewriter, loc, pair, init->get(), *indices, /*nontemporal=*/false,
                              llvm::MaybeAlign(element.getIntOrFloatBitWidth() / 4));
    }
}

} // namespace fuselage
