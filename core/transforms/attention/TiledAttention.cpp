#include "core/transforms/attention/TiledAttention.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {

bool TiledAttention::find() { return findCuts() && findDims() && findProducts(); }

bool TiledAttention::hasKnownCounts() {
  return llvm::none_of(forall_.getStaticUpperBound(), ShapedType::isDynamic) &&
         int64_t(llvm::divideCeil(keys_.range, keys_.before)) == *getConstantIntValue(loop_.getUpperBound());
}

int64_t TiledAttention::widthOf(Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t width = 1;
  for (auto [dim, along] : llvm::enumerate(dims_[operand]))
    width *= *along == Along::Other ? type.getDimSize(dim) : 1;
  return width;
}

bool TiledAttention::findCuts() {
  if (!forall_.isNormalized() || forall_.getNumResults() != 1)
    return false;
  for (auto loop : forall_.getBody()->getOps<scf::ForOp>()) {
    if (loop_ || !isConstantIntValue(loop.getLowerBound(), 0) || !isConstantIntValue(loop.getStep(), 1) ||
        !getConstantIntValue(loop.getUpperBound()))
      return false;
    loop_ = loop;
  }
  if (!loop_)
    return false;
  keys_.block = loop_.getInductionVar();
  forall_.walk([&](affine::AffineApplyOp op) {
    if (op.getMapOperands().size() != 1)
      return;
    Value block = op.getMapOperands().front();
    auto times = dyn_cast<AffineBinaryOpExpr>(op.getAffineMap().getResult(0));
    auto factor = times && times.getKind() == AffineExprKind::Mul ? dyn_cast<AffineConstantExpr>(times.getRHS())
                                                                  : AffineConstantExpr();
    if (!factor)
      return;
    if (block == keys_.block) {
      keys_.before = factor.getValue();
    } else if (llvm::is_contained(forall_.getInductionVars(), block)) {
      isAmbiguous_ |= queries_.block && queries_.block != block;
      queries_.block = block;
      queries_.before = factor.getValue();
    } else {
      return;
    }
    starts_[op] = block == keys_.block ? Along::Keys : Along::Queries;
  });
  return queries_.block && keys_.before > 0 && queries_.before > 0 && !isAmbiguous_;
}

/// Which tiles start at `offset`.
TiledAttention::Along TiledAttention::startOf(OpFoldResult offset) const {
  auto value = dyn_cast<Value>(offset);
  auto found = value ? starts_.find(value.getDefiningOp()) : starts_.end();
  return found == starts_.end() ? Along::Other : found->second;
}

/// The dimensions of a slice of something from outside; the extents that are cut, too.
bool TiledAttention::addSlice(tensor::ExtractSliceOp slice) {
  auto type = slice.getSourceType();
  if (forall_->isProperAncestor(slice.getSource().getParentBlock()->getParentOp()) ||
      slice.getSource().getParentBlock() == forall_.getBody())
    return false;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Dims dims;
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    Along along = startOf(offset);
    if (!addExtent(along, type.getDimSize(dim)) || !isConstantIntValue(slice.getMixedStrides()[dim], 1))
      return false;
    bool isStatic = along != Along::Other || getConstantIntValue(slice.getMixedSizes()[dim]);
    if (!isStatic || (along != Along::Other && dropped.test(dim)))
      return false;
    if (!dropped.test(dim))
      dims.push_back(along);
  }
  dims_[slice.getResult()] = dims;
  return true;
}

bool TiledAttention::addExtent(Along along, int64_t range) {
  if (along == Along::Other)
    return true;
  Cut &cut = cutOf(along);
  if (ShapedType::isDynamic(range) || (cut.range != 0 && cut.range != range))
    return false;
  cut.range = range;
  return true;
}

/// Joins what is known of operands and of loops until nothing is new.
bool TiledAttention::findDims() {
  SmallVector<linalg::LinalgOp> ops;
  bool isKnown = true;
  forall_.walk([&](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      isKnown &= addSlice(slice);
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      ops.push_back(structured);
    else if (!isa<scf::ForallOp, scf::ForOp, scf::YieldOp, scf::InParallelOp, tensor::EmptyOp,
                  tensor::ParallelInsertSliceOp>(op) &&
             llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      isKnown = false;
  });
  for (isNew_ = true; isNew_ && isKnown;) {
    isNew_ = false;
    for (linalg::LinalgOp op : ops)
      isKnown &= joinOperands(op);
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop_.getInitArgs(), loop_.getRegionIterArgs(), loop_.getYieldedValues(), loop_.getResults()))
      for (Value other : {Value(init), yielded, Value(result)})
        isKnown &= joinDims(argument, other);
  }
  return isKnown && keys_.range != 0 && queries_.range != 0 && llvm::all_of(dims_, [](const auto &known) {
           return llvm::all_of(known.second, [](const std::optional<Along> &along) { return along.has_value(); });
         });
}

TiledAttention::Dims &TiledAttention::dimsOf(Value value) {
  Dims &dims = dims_[value];
  if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && dims.empty())
    dims.resize(type.getRank());
  return dims;
}

/// False where two differ.
bool TiledAttention::join(std::optional<Along> &a, std::optional<Along> &b) {
  if (a && b)
    return *a == *b;
  a = b = a ? a : b;
  return true;
}
void TiledAttention::learn(Value value, const Dims &dims) {
  isNew_ |= dims_[value] != dims;
  dims_[value] = dims;
}

bool TiledAttention::joinDims(Value a, Value b) {
  Dims first = dimsOf(a), second = dimsOf(b);
  for (auto [one, other] : llvm::zip_equal(first, second))
    if (!join(one, other))
      return false;
  learn(a, first);
  learn(b, second);
  return true;
}

bool TiledAttention::joinOperands(linalg::LinalgOp op) {
  Dims loops(op.getNumLoops());
  bool isKnown = true;
  auto joinOperand = [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<RankedTensorType>(operand.get().getType()) || !map.isProjectedPermutation(/*allowZeroInResults=*/true)) {
      isKnown &= !isa<RankedTensorType>(operand.get().getType());
      return;
    }
    Dims dims = dimsOf(operand.get());
    for (auto [expr, dim] : llvm::zip_equal(map.getResults(), dims)) {
      std::optional<Along> other = Along::Other;
      auto loop = dyn_cast<AffineDimExpr>(expr);
      isKnown &= join(dim, loop ? loops[loop.getPosition()] : other);
    }
    learn(operand.get(), dims);
  };
  for (int pass = 0; pass < 2; ++pass)
    for (OpOperand &operand : op->getOpOperands())
      joinOperand(operand);
  for (auto [init, result] : llvm::zip_equal(op.getDpsInits(), op->getResults()))
    isKnown &= joinDims(init, result);
  return isKnown;
}

/// What a loop of an op walks, by an operand that reads along it.
std::optional<TiledAttention::Along> TiledAttention::alongOf(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dim = op.getMatchingIndexingMap(&operand).getResultPosition(b_.getAffineDimExpr(loop)))
      return dims_[operand.get()][*dim];
  return std::nullopt;
}

/// The two products, and the op that looks for the largest logit of a row.
bool TiledAttention::findProducts() {
  loop_.walk([&](linalg::LinalgOp op) {
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    if (reductions.size() != 1)
      return;
    bool alongKeys = alongOf(op, reductions.front()) == Along::Keys;
    if (op.getNumDpsInputs() == 2)
      (alongKeys ? context_ : scores_) = op;
    else if (alongKeys &&
             isa<arith::MaximumFOp, arith::MaxNumFOp>(op.getBlock()->getTerminator()->getOperand(0).getDefiningOp()))
      maximum_ = op;
  });
  return context_ && scores_ && maximum_;
}

} // namespace fuselage
