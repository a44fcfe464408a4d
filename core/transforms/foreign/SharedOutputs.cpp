#include "core/transforms/foreign/SharedOutputs.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

/// True if two iterations that differ in `dim` alone write different elements of an output with
/// this map, whatever the other dimensions are: one of the results is `dim`, or a multiple of it,
/// moved.
static bool tellsApart(AffineMap map, unsigned dim) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto sum = llvm::dyn_cast<AffineBinaryOpExpr>(expr);
    if (sum && sum.getKind() == AffineExprKind::Add && llvm::isa<AffineConstantExpr>(sum.getRHS()))
      expr = sum.getLHS();
    auto product = llvm::dyn_cast<AffineBinaryOpExpr>(expr);
    auto factor = product ? llvm::dyn_cast<AffineConstantExpr>(product.getRHS()) : AffineConstantExpr();
    if (factor && product.getKind() == AffineExprKind::Mul && factor.getValue() != 0)
      expr = product.getLHS();
    auto own = llvm::dyn_cast<AffineDimExpr>(expr);
    return own && own.getPosition() == dim;
  });
}

/// The parallel loops that do not tell the elements of each output apart.
static SmallVector<unsigned> sharedLoopsOf(linalg::GenericOp op) {
  SmallVector<unsigned> shared, parallel;
  op.getParallelDims(parallel);
  for (unsigned dim : parallel) {
    bool isShared = llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
      return !tellsApart(op.getMatchingIndexingMap(&output), dim);
    });
    if (isShared)
      shared.push_back(dim);
  }
  if (shared.empty()) // as in nearly every op; to compute the ranges takes longer than all of this
    return shared;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::erase_if(shared, [&](unsigned dim) { return ranges[dim] == 1; });
  return shared;
}

bool hasSharedOutputs(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && !sharedLoopsOf(generic).empty();
}

void reduceSharedOutputs(ModuleOp module) {
  module.walk([](linalg::GenericOp op) {
    SmallVector<unsigned> shared = sharedLoopsOf(op);
    if (shared.empty())
      return;
    SmallVector<Attribute> iterators(op.getIteratorTypes().getValue());
    for (unsigned dim : shared)
      iterators[dim] = linalg::IteratorTypeAttr::get(op.getContext(), utils::IteratorType::reduction);
    op.setIteratorTypesAttr(ArrayAttr::get(op.getContext(), iterators));
  });
}

} // namespace fuselage
