#include "core/transforms/unlock/AbsorbMoves.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

/// True if some result of the map is not a dimension.
static bool hasZeros(AffineMap map) { return !llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr>); }

/// The move of that kind, outside of dispatches, that `value` comes from, or a mere copy; null if there is none.
static linalg::LinalgOp findMove(Value value, MoveKind kind) {
  auto move = value.getDefiningOp<linalg::LinalgOp>();
  if (!move || !isOutsideDispatch(move) || !findMovedInput(move))
    return {};
  AffineMap map = moveMap(move);
  if (map && map.isIdentity())
    return move;
  bool isBroadcast = map && keepsOrder(map);
  return isBroadcast == (kind == MoveKind::Broadcast) ? move : linalg::LinalgOp();
}

/// Puts `op` into the place of `old`; a contraction that had a name gets one again if one fits.
static linalg::LinalgOp replaceContraction(RewriterBase &rewriter, linalg::LinalgOp old, linalg::GenericOp op) {
  bool hadName = !isa<linalg::GenericOp>(old.getOperation());
  rewriter.replaceOp(old, op->getResults());
  if (hadName)
    if (FailureOr<linalg::LinalgOp> named = toNamed(rewriter, op); succeeded(named))
      return *named;
  return op;
}

/// Why the contraction cannot read `operand` through the move; empty if it can.
static StringRef whyNotThrough(linalg::LinalgOp contraction, OpOperand *operand, AffineMap moved,
                               SmallVectorImpl<AffineMap> &maps) {
  if (!moved)
    return "it is not written by a permutation of its loops";
  if (hasZeros(moved))
    return "it reads element 0 of a unit dimension; run fuselage-fold-unit-dims first";
  maps = contraction.getIndexingMapsArray();
  AffineMap &map = maps[operand->getOperandNumber()];
  map = moved.compose(map);
  if (!map.isProjectedPermutation())
    return "the contraction would read one dimension by two loops";
  if (!coverLoops(maps))
    return "a loop of the contraction would lose its bounds";
  return {};
}

/// Absorbs the moves into one contraction, one after the other.
static void absorbInputs(RewriterBase &rewriter, linalg::LinalgOp contraction, MoveKind kind) {
  llvm::SmallDenseSet<unsigned> refused;
  for (bool changed = true; changed;) {
    changed = false;
    for (OpOperand *operand : contraction.getDpsInputOperands()) {
      linalg::LinalgOp move = findMove(operand->get(), kind);
      if (!move || refused.contains(operand->getOperandNumber()))
        continue;
      SmallVector<AffineMap> maps;
      StringRef reason = whyNotThrough(contraction, operand, moveMap(move), maps);
      if (!reason.empty()) {
        refused.insert(operand->getOperandNumber());
        contraction->emitRemark("operand #")
            << operand->getOperandNumber() << " stays " << (kind == MoveKind::Transpose ? "transposed" : "broadcast")
            << " by an op of its own: " << reason;
        continue;
      }
      SmallVector<Value> inputs = contraction.getDpsInputs();
      inputs[operand->getOperandNumber()] = findMovedInput(move)->get();
      rewriter.setInsertionPoint(contraction);
      linalg::GenericOp generic = buildLike(rewriter, contraction, inputs, contraction.getDpsInits(), maps);
      generic->setLoc(rewriter.getFusedLoc({contraction.getLoc(), move.getLoc()}));
      contraction = replaceContraction(rewriter, contraction, generic);
      eraseDead(rewriter, {move});
      changed = true;
      break;
    }
  }
}

void absorbInputMoves(RewriterBase &rewriter, FunctionOpInterface function, MoveKind kind) {
  DeadOpEraser eraser(function);
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(function))
    if (isContraction(op))
      absorbInputs(rewriter, op, kind);
  eraser.erase(rewriter);
}

/// Why the transpose cannot become part of the contraction; empty if it can.
static StringRef whyNotInto(linalg::LinalgOp contraction, AffineMap moved) {
  if (!contraction->hasOneUse())
    return "others read the contraction in its own order";
  if (!moved || !moved.isPermutation())
    return "it is no permutation of dimensions; run fuselage-fold-unit-dims first";
  if (!contraction.getIndexingMapsArray().back().isProjectedPermutation())
    return "the contraction writes through a map that is no permutation";
  Value init = contraction.getDpsInits()[0];
  if (!filledWith(init) && !init.getDefiningOp<tensor::EmptyOp>())
    return "the contraction adds to a tensor, which would have to be transposed as well";
  return {};
}

/// Makes the contraction write what the transpose writes, at the place of the transpose.
static void absorbOutput(RewriterBase &rewriter, linalg::LinalgOp contraction, linalg::LinalgOp transpose) {
  AffineMap moved = moveMap(transpose);
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  maps.back() = inversePermutation(moved).compose(maps.back());
  rewriter.setInsertionPoint(transpose);
  Value init = transpose.getDpsInits()[0];
  if (Value scalar = filledWith(contraction.getDpsInits()[0]))
    init = linalg::FillOp::create(rewriter, contraction.getLoc(), scalar, init).getResult(0);
  linalg::GenericOp generic = buildLike(rewriter, contraction, contraction.getDpsInputs(), init, maps);
  generic->setLoc(rewriter.getFusedLoc({contraction.getLoc(), transpose.getLoc()}));
  bool hadName = !isa<linalg::GenericOp>(contraction.getOperation());
  rewriter.replaceOp(transpose, generic->getResults());
  rewriter.eraseOp(contraction);
  if (hadName)
    (void)toNamed(rewriter, generic);
}

void absorbOutputTransposes(RewriterBase &rewriter, FunctionOpInterface function) {
  DeadOpEraser eraser(function);
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(function)) {
    linalg::LinalgOp transpose = findMove(op->getNumResults() == 1 ? op->getResult(0) : Value(), MoveKind::Transpose);
    auto contraction = transpose ? findMovedInput(transpose)->get().getDefiningOp<linalg::LinalgOp>() : nullptr;
    if (!contraction || !isContraction(contraction) || !isOutsideDispatch(contraction) ||
        contraction->getBlock() != transpose->getBlock())
      continue;
    StringRef reason = whyNotInto(contraction, moveMap(transpose));
    if (reason.empty())
      absorbOutput(rewriter, contraction, transpose);
    else
      transpose->emitRemark("stays after the contraction: ") << reason;
  }
  eraser.erase(rewriter);
}

} // namespace fuselage
