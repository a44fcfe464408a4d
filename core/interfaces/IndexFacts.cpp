#include "core/interfaces/IndexFacts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace mlir;

namespace fuselage {

/// Chains of index computations longer than this are not looked through.
static constexpr int kMaxDepth = 16;

/// a * b, or the larger one if that is too large.
static int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return llvm::MulOverflow(a, b, result) ? std::max(a, b) : result;
}

/// Of the result of `expr`, its operands' divisors given; dimensions first. AffineExpr::getLargestKnownDivisor
/// takes none for operands, and says 0 where a product of divisors is too large.
static int64_t divisorOf(AffineExpr expr, ArrayRef<int64_t> operands, unsigned dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = divisorOf(binary.getLHS(), operands, dims);
  int64_t right = divisorOf(binary.getRHS(), operands, dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return product(left, right);
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    // Exact if the divisor is a constant that the dividend is a multiple of.
    if (isa<AffineConstantExpr>(binary.getRHS()) && right != 0 && left % right == 0)
      return left / right;
    return 1;
  default:
    return 1;
  }
}

namespace {

/// Finds divisors of indices. What an index is computed from is often one value many times: each is
/// looked at once, so that the work is linear in the ops, not exponential in the depth.
class DivisorFinder {
public:
  int64_t find(OpFoldResult index, int depth);

private:
  int64_t findValue(Value value, int depth);
  int64_t ofMap(AffineMap map, ValueRange operands, int depth);
  int64_t ofInductionVariable(BlockArgument argument, int depth);
  int64_t ofSize(Value tensor, int64_t dim, int depth);

  /// What was found, and how deep the search went: a deeper one may find more.
  struct Found {
    int depth = 0;
    int64_t divisor = 1;
  };
  llvm::DenseMap<Value, Found> values_{};
  llvm::DenseMap<std::pair<Value, int64_t>, Found> sizes_{};
};

} // namespace

/// Of all results of `map`, of which any may be the value.
int64_t DivisorFinder::ofMap(AffineMap map, ValueRange operands, int depth) {
  SmallVector<int64_t> divisors;
  for (Value operand : operands)
    divisors.push_back(find(operand, depth - 1));
  int64_t common = 0;
  for (AffineExpr expr : map.getResults())
    common = std::gcd(common, divisorOf(expr, divisors, map.getNumDims()));
  return common;
}

/// Of an induction variable: what its first value and its step have in common.
int64_t DivisorFinder::ofInductionVariable(BlockArgument argument, int depth) {
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return 1;
  auto ivs = loop.getLoopInductionVars();
  auto bounds = loop.getLoopLowerBounds();
  auto steps = loop.getLoopSteps();
  if (!ivs || !bounds || !steps)
    return 1;
  for (auto [iv, bound, step] : llvm::zip(*ivs, *bounds, *steps))
    if (iv == argument)
      return std::gcd(find(bound, depth - 1), find(step, depth - 1));
  return 1;
}

/// Of the size of dimension `dim` of `tensor`: dynamic ones are looked for where the tensor comes
/// from.
int64_t DivisorFinder::ofSize(Value tensor, int64_t dim, int depth) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || dim < 0 || dim >= type.getRank() || depth <= 0)
    return 1;
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  if (auto known = sizes_.find({tensor, dim}); known != sizes_.end() && known->second.depth >= depth)
    return known->second.divisor;
  int64_t divisor = 1;
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>()) {
    for (int64_t part : collapse.getReassociationIndices()[dim])
      divisor = product(divisor, ofSize(collapse.getSrc(), part, depth - 1));
  } else if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>()) {
    divisor = find(expand.getMixedOutputShape()[dim], depth - 1);
  } else if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>()) {
    divisor = find(empty.getMixedSizes()[dim], depth - 1);
  } else if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    divisor = slice.getDroppedDims().any() ? 1 : find(slice.getMixedSizes()[dim], depth - 1);
  } else if (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    divisor = ofSize(cast.getSource(), dim, depth - 1);
  } else if (auto written = tensor.getDefiningOp<DestinationStyleOpInterface>()) {
    divisor = ofSize(written.getTiedOpOperand(llvm::cast<OpResult>(tensor))->get(), dim, depth - 1);
  }
  sizes_[{tensor, dim}] = {depth, divisor};
  return divisor;
}

int64_t DivisorFinder::findValue(Value value, int depth) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofInductionVariable(argument, depth);
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), depth);
  if (auto min = value.getDefiningOp<affine::AffineMinOp>())
    return ofMap(min.getAffineMap(), min.getMapOperands(), depth);
  if (auto max = value.getDefiningOp<affine::AffineMaxOp>())
    return ofMap(max.getAffineMap(), max.getMapOperands(), depth);
  if (auto dim = value.getDefiningOp<tensor::DimOp>(); dim && dim.getConstantIndex())
    return ofSize(dim.getSource(), *dim.getConstantIndex(), depth - 1);
  if (auto mul = value.getDefiningOp<arith::MulIOp>())
    return product(find(mul.getLhs(), depth - 1), find(mul.getRhs(), depth - 1));
  if (Operation *sum = value.getDefiningOp(); isa_and_nonnull<arith::AddIOp, arith::SubIOp>(sum))
    return std::gcd(find(sum->getOperand(0), depth - 1), find(sum->getOperand(1), depth - 1));
  return 1;
}

int64_t DivisorFinder::find(OpFoldResult index, int depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::abs(*constant);
  if (depth <= 0)
    return 1;
  auto value = cast<Value>(index);
  if (auto known = values_.find(value); known != values_.end() && known->second.depth >= depth)
    return known->second.divisor;
  int64_t divisor = findValue(value, depth);
  values_[value] = {depth, divisor};
  return divisor;
}

int64_t knownDivisor(OpFoldResult index) { return DivisorFinder().find(index, kMaxDepth); }

/// `expr` with exact divisions taken out of products and remainders, its operands' divisors given.
static AffineExpr foldExact(AffineExpr expr, ArrayRef<int64_t> operands, unsigned dims) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = foldExact(binary.getLHS(), operands, dims);
  AffineExpr right = foldExact(binary.getRHS(), operands, dims);
  auto factor = dyn_cast<AffineConstantExpr>(right);
  auto isMultiple = [&](AffineExpr part, int64_t of) { return of > 0 && divisorOf(part, operands, dims) % of == 0; };
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    if (auto division = dyn_cast<AffineBinaryOpExpr>(left);
        division && factor && division.getKind() == AffineExprKind::FloorDiv)
      if (auto by = dyn_cast<AffineConstantExpr>(division.getRHS()); by && by.getValue() > 0 &&
                                                                     factor.getValue() % by.getValue() == 0 &&
                                                                     isMultiple(division.getLHS(), by.getValue()))
        return division.getLHS() * (factor.getValue() / by.getValue());
    return left * right;
  case AffineExprKind::Mod:
    if (factor && isMultiple(left, factor.getValue()))
      return getAffineConstantExpr(0, expr.getContext());
    return left % right;
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::FloorDiv:
    return left.floorDiv(right);
  default:
    return left.ceilDiv(right);
  }
}

OpFoldResult foldExactDivisions(OpBuilder &b, Location loc, OpFoldResult index) {
  auto value = dyn_cast<Value>(index);
  auto apply = value ? value.getDefiningOp<affine::AffineApplyOp>() : affine::AffineApplyOp();
  if (!apply)
    return index;
  AffineMap map = apply.getAffineMap();
  SmallVector<int64_t> divisors;
  SmallVector<OpFoldResult> operands;
  DivisorFinder finder;
  for (Value operand : apply.getMapOperands()) {
    divisors.push_back(finder.find(operand, kMaxDepth));
    operands.push_back(operand);
  }
  AffineExpr folded = foldExact(map.getResult(0), divisors, map.getNumDims());
  if (folded == map.getResult(0))
    return index;
  return affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(map.getNumDims(), map.getNumSymbols(), folded),
                                               operands);
}

std::optional<int64_t> knownMaximum(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  auto value = cast<Value>(index);
  // What tiling writes for a last, smaller tile needs no solver.
  if (auto min = value.getDefiningOp<affine::AffineMinOp>()) {
    std::optional<int64_t> least;
    for (AffineExpr expr : min.getAffineMap().getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        least = std::min(least.value_or(constant.getValue()), constant.getValue());
    if (least)
      return least;
  }
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, value, /*stopCondition=*/nullptr, /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

bool coversDim(OpFoldResult offset, OpFoldResult size, Value tensor, int64_t dim) {
  if (!isConstantIntValue(offset, 0))
    return false;
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  std::optional<int64_t> length = getConstantIntValue(size);
  if (length && !ShapedType::isDynamic(extent))
    return *length == extent;
  using Variable = ValueBoundsConstraintSet::Variable;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(Variable(size), Variable(tensor, dim));
  return succeeded(equal) && *equal;
}

SmallVector<OpFoldResult> neededStrides(Builder &b, ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  SmallVector<OpFoldResult> needed(strides);
  for (auto [size, stride] : llvm::zip_equal(sizes, needed))
    if (isConstantIntValue(size, 1))
      stride = b.getIndexAttr(1);
  return needed;
}

std::string describeIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::to_string(*constant);
  int64_t divisor = knownDivisor(index);
  std::optional<int64_t> maximum = knownMaximum(index);
  std::string text = divisor > 1 ? (llvm::Twine("a multiple of ") + llvm::Twine(divisor)).str() : "any number";
  return maximum ? (llvm::Twine(text) + " up to " + llvm::Twine(*maximum)).str() : text;
}

} // namespace fuselage
