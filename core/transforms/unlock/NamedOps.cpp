// Names for linalg.generic ops.
#include "core/transforms/unlock/LinalgUtils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;

namespace fuselage {

/// True for `out + a * b` in the element type itself: what the named contractions compute.
static bool isPlainMultiplyAdd(linalg::GenericOp op) {
  Block *body = op.getBody();
  if (body->getNumArguments() != 3 || !llvm::hasNItems(*body, 3) || !llvm::all_equal(body->getArgumentTypes()))
    return false;
  Operation *multiply = &body->front(), *add = multiply->getNextNode();
  if (!(isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add)) &&
      !(isa<arith::MulIOp>(multiply) && isa<arith::AddIOp>(add)))
    return false;
  // A named op would forget these.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(multiply);
      fast && fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
    return false;
  auto are = [](Operation *of, Value a, Value b) {
    return (of->getOperand(0) == a && of->getOperand(1) == b) || (of->getOperand(0) == b && of->getOperand(1) == a);
  };
  return are(multiply, body->getArgument(0), body->getArgument(1)) &&
         are(add, multiply->getResult(0), body->getArgument(2)) &&
         body->getTerminator()->getOperand(0) == add->getResult(0);
}

/// The order of loops in which the contraction is a [batch,] m, n, k matmul; `swap`: the second
/// input has the rows. Empty if there is none.
static SmallVector<unsigned> matmulLoops(linalg::GenericOp op, bool &swap) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 || dims->k.size() != 1 || dims->batch.size() > 1)
    return {};
  SmallVector<unsigned> loops(dims->batch.begin(), dims->batch.end());
  AffineMap out = op.getIndexingMapsArray()[2];
  std::optional<unsigned> row = out.getResultPosition(getAffineDimExpr(dims->m[0], op.getContext()));
  std::optional<unsigned> column = out.getResultPosition(getAffineDimExpr(dims->n[0], op.getContext()));
  if (!row || !column || out.getNumResults() != loops.size() + 2)
    return {};
  swap = *row > *column;
  loops.push_back(swap ? dims->n[0] : dims->m[0]);
  loops.push_back(swap ? dims->m[0] : dims->n[0]);
  loops.push_back(dims->k[0]);
  // A loop may be parallel and index the inputs alone: then it is neither of these.
  return loops.size() == op.getNumLoops() ? loops : SmallVector<unsigned>();
}

/// linalg.matmul or linalg.batch_matmul, whose result must be in order.
static FailureOr<linalg::LinalgOp> nameContraction(RewriterBase &rewriter, linalg::GenericOp op) {
  bool swap = false;
  SmallVector<unsigned> loops = matmulLoops(op, swap);
  if (loops.empty() || !isPlainMultiplyAdd(op))
    return failure();
  MLIRContext *context = op.getContext();
  // The map from the named op's loops to ours.
  SmallVector<AffineExpr> exprs(loops.size());
  for (auto [named, ours] : llvm::enumerate(loops))
    exprs[ours] = getAffineDimExpr(named, context);
  AffineMap reorder = AffineMap::get(loops.size(), 0, exprs, context);
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(map.compose(reorder));
  if (swap)
    std::swap(maps[0], maps[1]);
  bool isBatch = loops.size() == 4;
  for (auto [position, expr] : llvm::enumerate(maps[2].getResults()))
    if (expr != getAffineDimExpr(position, context))
      return failure();
  // Transposes are fine, other orders of the batch dimension are not.
  for (AffineMap map : {maps[0], maps[1]})
    if (map.getNumResults() != loops.size() - 1 || (isBatch && map.getResult(0) != getAffineDimExpr(0, context)))
      return failure();
  SmallVector<AffineMap> usual = isBatch ? linalg::BatchMatmulOp::getDefaultIndexingMaps(context)
                                         : linalg::MatmulOp::getDefaultIndexingMaps(context);
  SmallVector<NamedAttribute> attributes;
  if (maps != usual)
    attributes.push_back(rewriter.getNamedAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps)));
  Value first = op.getDpsInputs()[swap ? 1 : 0], second = op.getDpsInputs()[swap ? 0 : 1];
  Value init = op.getDpsInits()[0];
  rewriter.setInsertionPoint(op);
  linalg::LinalgOp named;
  if (isBatch)
    named = linalg::BatchMatmulOp::create(rewriter, op.getLoc(), TypeRange(init.getType()), ValueRange{first, second},
                                          ValueRange(init), attributes);
  else
    named = linalg::MatmulOp::create(rewriter, op.getLoc(), TypeRange(init.getType()), ValueRange{first, second},
                                     ValueRange(init), attributes);
  rewriter.replaceOp(op, named->getResults());
  return named;
}

/// `Named` in place of `op` if its loops and maps are those of `Named`; null, with nothing changed,
/// if not.
template <typename Named> static linalg::LinalgOp nameAs(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> dilations, strides;
  if (!linalg::isaConvolutionOpOfType<Named>(op, &dilations, &strides))
    return {};
  rewriter.setInsertionPoint(op);
  auto named = Named::create(rewriter, op.getLoc(), op->getResultTypes(), op.getDpsInputs(), op.getDpsInits(),
                             rewriter.getI64TensorAttr(strides), rewriter.getI64TensorAttr(dilations));
  rewriter.replaceOp(op, named->getResults());
  return named;
}

template <typename... Named>
static FailureOr<linalg::LinalgOp> nameAsOneOf(RewriterBase &rewriter, linalg::GenericOp op) {
  linalg::LinalgOp named;
  ((named = nameAs<Named>(rewriter, op)) || ...);
  if (!named)
    return failure();
  return named;
}

/// A convolution that computes in one element type, as every named one without a zero point does.
static FailureOr<linalg::LinalgOp> nameConvolution(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!isPlainMultiplyAdd(op))
    return failure();
  return nameAsOneOf<linalg::Conv1DNwcWcfOp, linalg::Conv1DNcwFcwOp, linalg::Conv2DNchwFchwOp, linalg::Conv2DNhwcHwcfOp,
                     linalg::Conv2DNhwcFhwcOp, linalg::Conv2DNgchwFgchwOp, linalg::Conv2DNgchwGfchwOp,
                     linalg::Conv2DNhwgcGfhwcOp, linalg::Conv3DNcdhwFcdhwOp, linalg::Conv3DNdhwcDhwcfOp,
                     linalg::DepthwiseConv1DNcwCwOp, linalg::DepthwiseConv1DNwcWcOp, linalg::DepthwiseConv2DNchwChwOp,
                     linalg::DepthwiseConv2DNhwcHwcOp, linalg::DepthwiseConv2DNhwcHwcmOp,
                     linalg::DepthwiseConv3DNcdhwCdhwOp, linalg::DepthwiseConv3DNdhwcDhwcOp>(rewriter, op);
}

bool canBeNamed(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->getArgumentTypes(), llvm::IsaPred<IntegerType, FloatType, ComplexType>);
}

FailureOr<linalg::LinalgOp> toNamed(RewriterBase &rewriter, linalg::GenericOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  if (!op.hasPureTensorSemantics() || !canBeNamed(op))
    return failure();
  // Of the stock names only those of elementwise ops and moves: its contractions forget transposes.
  if (linalg::isaContractionOpInterface(op))
    return nameContraction(rewriter, op);
  if (linalg::isaConvolutionOpInterface(op))
    return nameConvolution(rewriter, op);
  if (op.getNumReductionLoops() != 0)
    return failure();
  rewriter.setInsertionPoint(op);
  return linalg::specializeGenericOp(rewriter, op);
}

} // namespace fuselage
