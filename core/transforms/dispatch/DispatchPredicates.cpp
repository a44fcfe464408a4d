#include "core/transforms/dispatch/DispatchPredicates.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace fuselage {

bool isComputeOp(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics() && op->getNumResults() > 0;
  return isa<TilingInterface>(op) && !isa<LoopLikeOpInterface>(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Whether the yielded value adds a product to `accumulator`.
static bool accumulatesProduct(Value yielded, Value accumulator) {
  Operation *add = yielded.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) || !llvm::is_contained(add->getOperands(), accumulator))
    return false;
  Value term = add->getOperand(add->getOperand(0) == accumulator ? 1 : 0);
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(term.getDefiningOp());
}

bool isSiblingContraction(Operation *op) {
  auto siblings = dyn_cast<linalg::GenericOp>(op);
  if (!siblings || siblings.getNumResults() < 2 || siblings.getNumReductionLoops() == 0 ||
      siblings.getNumDpsInputs() != siblings.getNumDpsInits() + 1)
    return false;
  SmallVector<AffineMap> maps = siblings.getIndexingMapsArray();
  unsigned inputs = siblings.getNumDpsInputs();
  for (unsigned sibling = 0; sibling < siblings.getNumResults(); ++sibling) {
    AffineMap own[] = {maps[0], maps[1 + sibling], maps[inputs + sibling]};
    if (!llvm::all_of(own, [](AffineMap map) { return map.isProjectedPermutation(); }) ||
        failed(linalg::inferContractionDims(own)) ||
        !accumulatesProduct(siblings.getBody()->getTerminator()->getOperand(sibling),
                            siblings.getBody()->getArgument(inputs + sibling)))
      return false;
  }
  return true;
}

DispatchKind kindOf(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op))
    return DispatchKind::Reduction;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return DispatchKind::Other;
  if (linalg::isaContractionOpInterface(linalgOp) || isSiblingContraction(op))
    return DispatchKind::Contraction;
  if (linalg::isaConvolutionOpInterface(linalgOp))
    return DispatchKind::Convolution;
  if (linalgOp.getNumReductionLoops() > 0)
    return DispatchKind::Reduction;
  return isElementwiseOp(op) ? DispatchKind::Elementwise : DispatchKind::Other;
}

bool isRootKind(DispatchKind kind) {
  return kind == DispatchKind::Contraction || kind == DispatchKind::Convolution || kind == DispatchKind::Reduction;
}

bool isElementwiseOp(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !isComputeOp(op) || linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
    return false;
  return llvm::all_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
    return isProjectedPermutationWithZeros(linalgOp.getMatchingIndexingMap(&init));
  });
}

// AffineMap::isProjectedPermutation(allowZeroInResults) refuses maps with more results than loops, such as those
// of (d0) -> (0, d0).
bool isProjectedPermutationWithZeros(AffineMap map) { return map.dropZeroResults().isProjectedPermutation(); }

bool keepsOrder(AffineMap map) {
  if (!isProjectedPermutationWithZeros(map))
    return false;
  int last = -1;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    if (static_cast<int>(dim.getPosition()) < last)
      return false;
    last = dim.getPosition();
  }
  return true;
}

OpOperand *findMovedInput(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || !llvm::hasSingleElement(*op.getBlock()) || !isElementwiseOp(op))
    return nullptr;
  auto yielded = dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  if (!yielded || yielded.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *source = op.getMatchingOpOperand(yielded);
  return op.isDpsInput(source) && isa<ShapedType>(source->get().getType()) ? source : nullptr;
}

bool isPlainCopy(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  OpOperand *source = linalgOp ? findMovedInput(linalgOp) : nullptr;
  return source && keepsOrder(linalgOp.getMatchingIndexingMap(source)) &&
         linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0)).isIdentity();
}

bool isFill(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1 || !llvm::hasSingleElement(*linalgOp.getBlock()) || !isElementwiseOp(op))
    return false;
  auto yielded = dyn_cast<BlockArgument>(linalgOp.getBlock()->getTerminator()->getOperand(0));
  if (!yielded || yielded.getOwner() != linalgOp.getBlock())
    return true;
  OpOperand *source = linalgOp.getMatchingOpOperand(yielded);
  return linalgOp.isDpsInput(source) && !isa<ShapedType>(source->get().getType());
}

bool isCheapProducer(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<RankedTensorType>(constant.getType()) && isa<SplatElementsAttr>(constant.getValue());
  return isFill(op) || isPlainCopy(op) || isScalarPad(op);
}

bool isWidening(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || op->getNumResults() != 1 || structured.getNumDpsInputs() != 1 || !isElementwiseOp(op) ||
      !llvm::all_of(structured.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  auto payload = structured.getBlock()->without_terminator();
  return llvm::hasSingleElement(payload) && isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(*payload.begin()) &&
         payload.begin()->getOperand(0) == structured.getBlock()->getArgument(0) &&
         structured.getBlock()->getTerminator()->getOperand(0) == payload.begin()->getResult(0);
}

bool isPerfectPacking(Operation *op) {
  auto packing = dyn_cast<linalg::RelayoutOpInterface>(op);
  if (!isa_and_nonnull<linalg::PackOp, linalg::UnPackOp>(op) || !packing ||
      llvm::any_of(op->getOperands(), [](Value operand) {
        auto tensor = dyn_cast<RankedTensorType>(operand.getType());
        return isa<TensorType>(operand.getType()) && (!tensor || !tensor.hasStaticShape());
      }))
    return false;
  auto isWhole = [](ArrayRef<int64_t> shape, ArrayRef<int64_t> positions, ArrayRef<int64_t> tiles) {
    return llvm::all_of(llvm::zip_equal(positions, tiles), [&](auto pair) {
      auto [position, tile] = pair;
      return tile > 0 && shape[position] % tile == 0;
    });
  };
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return isWhole(pack.getSourceType().getShape(), pack.getInnerDimsPos(), pack.getStaticInnerTiles());
  auto unpack = cast<linalg::UnPackOp>(op);
  return isWhole(unpack.getDestType().getShape(), unpack.getInnerDimsPos(), unpack.getStaticInnerTiles());
}

bool isParallelLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForallOp>(op);
  auto isWhole = [](Type type) { return isa<RankedTensorType>(type) && cast<RankedTensorType>(type).hasStaticShape(); };
  if (!loop || loop.getMapping() || op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isWhole) ||
      op->getParentOfType<scf::ForallOp>() || op->getParentOfType<scf::ParallelOp>())
    return false;
  bool computes = false;
  bool isKnown =
      !op->walk([&](Operation *inner) {
           computes |= isa<linalg::LinalgOp>(inner);
           return isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect, math::MathDialect,
                                  scf::SCFDialect, affine::AffineDialect>(inner->getDialect())
                      ? WalkResult::advance()
                      : WalkResult::interrupt();
         }).wasInterrupted();
  return isKnown && computes;
}

bool isScalarPad(Operation *op) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  return pad && pad.getConstantPaddingValue();
}

bool isDequantization(Operation *op) {
  auto isNarrow = [](Value value) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
    return type && type.getWidth() >= 2 && type.getWidth() <= 8;
  };
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || op->getNumResults() != 1 || !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) ||
      llvm::none_of(op->getOperands(), isNarrow) || !isElementwiseOp(op))
    return false;
  AffineMap written = structured.getIndexingMapMatchingResult(op->getResult(0));
  bool readsIntegers = llvm::any_of(structured.getDpsInputOperands(), [&](OpOperand *input) {
    return isNarrow(input->get()) &&
           structured.getMatchingIndexingMap(input).getNumResults() == written.getNumResults();
  });
  return readsIntegers && written.isPermutation() && !op->use_empty() &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isComputeOp(user) && kindOf(user) == DispatchKind::Contraction; });
}

} // namespace fuselage
