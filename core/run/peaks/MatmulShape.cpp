#include "core/run/peaks/MatmulShape.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace fuselage {

std::string MatmulShape::text() const {
  std::string sizes = llvm::formatv("{0}x{1}x{2} {3}", m, n, k, type);
  if (batch > 1)
    sizes = llvm::formatv("{0} times {1}", batch, sizes);
  if (transposesLeft || transposesRight)
    sizes += transposesLeft && transposesRight ? ", both transposed"
             : transposesLeft                  ? ", the left transposed"
                                               : ", the right transposed";
  return sizes;
}

/// The positions of loops in the results of a map; nullopt: a result is more than a loop.
static std::optional<SmallVector<unsigned>> loopsOf(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// Whether `loops` are the batch loops followed by these two.
static bool isOrder(ArrayRef<unsigned> loops, ArrayRef<unsigned> batch, unsigned row, unsigned column) {
  SmallVector<unsigned> wanted(batch);
  wanted.append({row, column});
  return loops == ArrayRef<unsigned>(wanted);
}

std::optional<MatmulShape> matmulOf(Operation *dispatch) {
  SmallVector<linalg::LinalgOp> found;
  dispatch->walk([&](linalg::LinalgOp op) {
    if (linalg::isaContractionOpInterface(op))
      found.push_back(op);
  });
  if (found.size() != 1)
    return std::nullopt;
  linalg::LinalgOp op = found.front();
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 || dims->k.size() != 1 || op.hasDynamicShape())
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto left = loopsOf(maps[0]), right = loopsOf(maps[1]), out = loopsOf(maps[2]);
  if (!left || !right || !out)
    return std::nullopt;
  unsigned m = dims->m[0], n = dims->n[0], k = dims->k[0];
  MatmulShape shape{.m = ranges[m], .n = ranges[n], .k = ranges[k]};
  for (unsigned loop : dims->batch)
    shape.batch *= ranges[loop];
  shape.transposesLeft = isOrder(*left, dims->batch, k, m);
  shape.transposesRight = isOrder(*right, dims->batch, n, k);
  bool isPlain = isOrder(*out, dims->batch, m, n) && (shape.transposesLeft || isOrder(*left, dims->batch, m, k)) &&
                 (shape.transposesRight || isOrder(*right, dims->batch, k, n));
  Type leftType = getElementTypeOrSelf(op->getOperand(0).getType()),
       rightType = getElementTypeOrSelf(op->getOperand(1).getType());
  if (!isPlain || leftType != rightType || !isa<FloatType>(leftType))
    return std::nullopt;
  auto nameOf = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  shape.type = nameOf(leftType);
  shape.resultType = nameOf(getElementTypeOrSelf(op->getResult(0).getType()));
  return shape;
}

} // namespace fuselage
