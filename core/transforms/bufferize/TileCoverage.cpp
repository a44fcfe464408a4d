// Which elements the tiles of a nest write: each at most once, or all of them.
#include "core/dialects/decoders/Decoders.h"
#include "core/transforms/bufferize/DestructiveUpdate.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace fuselage {
namespace {

/// How an offset moves with one loop: by `factor` for each step of its induction variable.
struct Motion {
  const CarryingLoop *loop = nullptr;
  int64_t factor = 1;
};

/// A value as an affine function of others, through affine.apply and arithmetic with constants.
std::pair<AffineMap, SmallVector<Value>> composed(Value value) {
  MLIRContext *context = value.getContext();
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()))
      return {AffineMap::get(0, 1, getAffineSymbolExpr(0, context) * *factor), {product.getLhs()}};
  AffineMap map = AffineMap::get(1, 0, getAffineDimExpr(0, context));
  SmallVector<Value> operands{value};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return {map, operands};
}

/// The multiple of a loop's induction variable that `offset` is; nothing if it is another value.
std::optional<Motion> motionOf(Value offset, const DestructiveUpdate &update) {
  auto [map, operands] = composed(offset);
  if (operands.size() != 1 || map.getNumResults() != 1)
    return std::nullopt;
  Motion motion;
  for (const CarryingLoop &carrying : update.loops)
    if (scf::ForOp(carrying.loop).getInductionVar() == operands.front())
      motion.loop = &carrying;
  AffineExpr expr = map.getResult(0);
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr); product && product.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!factor || factor.getValue() <= 0)
      return std::nullopt;
    motion.factor = factor.getValue();
    expr = product.getLHS();
  }
  return motion.loop && isa<AffineDimExpr, AffineSymbolExpr>(expr) ? std::optional(motion) : std::nullopt;
}

/// True if a workgroup's index, count or size goes into the value.
bool dependsOnWorkgroup(Value value, unsigned depth = 0) {
  Operation *def = value.getDefiningOp();
  if (!def || depth > 8)
    return false;
  if (!def->isRegistered() && decode(def).role == OpRole::WorkgroupInfo)
    return true;
  return def->getNumRegions() == 0 &&
         llvm::any_of(def->getOperands(), [&](Value operand) { return dependsOnWorkgroup(operand, depth + 1); });
}

/// True if this workgroup runs some of the loop's iterations, and others the rest.
bool isDistributed(scf::ForOp loop) {
  return dependsOnWorkgroup(loop.getLowerBound()) || dependsOnWorkgroup(loop.getStep());
}

/// True for a loop that runs once at most.
bool runsOnce(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips && trips->ule(1);
}

/// The most that a size can be, where it is a constant or an affine.min with one.
std::optional<int64_t> upperBound(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  auto minimum = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  std::optional<int64_t> bound;
  if (minimum)
    for (AffineExpr expr : minimum.getMap().getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        bound = std::min(bound.value_or(constant.getValue()), constant.getValue());
  return bound;
}

/// True if `size` is what is left of `extent` after `offset`, or `full` if that is less.
bool isRestOrFull(OpFoldResult size, Value offset, int64_t extent, int64_t full) {
  auto value = dyn_cast<Value>(size);
  auto minimum = value ? value.getDefiningOp<affine::AffineMinOp>() : affine::AffineMinOp();
  if (!minimum || minimum.getMap().getNumResults() != 2)
    return false;
  bool hasFull = false, hasRest = false;
  auto [offsetMap, offsetOperands] = composed(offset);
  for (AffineExpr expr : minimum.getMap().getResults()) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      hasFull |= constant.getValue() == full;
      continue;
    }
    // extent - offset, with the offset composed to the same induction variable.
    AffineMap map = AffineMap::get(minimum.getMap().getNumDims(), minimum.getMap().getNumSymbols(), expr);
    SmallVector<Value> operands(minimum.getOperands());
    affine::fullyComposeAffineMapAndOperands(&map, &operands);
    affine::canonicalizeMapAndOperands(&map, &operands);
    if (operands != offsetOperands || offsetMap.getNumResults() != 1)
      continue;
    // Both are functions of one value, as a dimension or as a symbol.
    auto asDim = [](AffineMap map) {
      AffineExpr dim = getAffineDimExpr(0, map.getContext());
      return map.getNumSymbols() == 1 ? map.getResult(0).replaceSymbols({dim}) : map.getResult(0);
    };
    hasRest |=
        simplifyAffineExpr(asDim(map) + asDim(offsetMap), 1, 0) == getAffineConstantExpr(extent, minimum.getContext());
  }
  return hasFull && hasRest;
}

} // namespace

bool haveDistinctTiles(const DestructiveUpdate &update) {
  TileSlice tile =
      TileSlice::of(cast<OffsetSizeAndStrideOpInterface>(tensor::InsertSliceOp(update.insert).getOperation()));
  return llvm::all_of(update.loops, [&](const CarryingLoop &carrying) {
    scf::ForOp loop = carrying.loop;
    if (runsOnce(loop))
      return true;
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    for (auto [offset, size, stride] : llvm::zip_equal(tile.offsets, tile.sizes, tile.strides)) {
      auto value = dyn_cast<Value>(offset);
      std::optional<Motion> motion = value ? motionOf(value, update) : std::nullopt;
      std::optional<int64_t> most = upperBound(size);
      if (!motion || motion->loop != &carrying || !isConstantIntValue(stride, 1))
        continue;
      if (isDistributed(loop) || (step && most && *most <= *step * motion->factor))
        return true;
    }
    return false;
  });
}

bool coverWhole(const DestructiveUpdate &update) {
  tensor::InsertSliceOp insert = update.insert;
  TileSlice tile = TileSlice::of(cast<OffsetSizeAndStrideOpInterface>(insert.getOperation()));
  RankedTensorType whole = insert.getDestType();
  llvm::SmallPtrSet<const CarryingLoop *, 4> moving; // tiles along a diagonal leave the rest out
  for (auto [dim, offset, size, stride] : llvm::enumerate(tile.offsets, tile.sizes, tile.strides)) {
    int64_t extent = whole.getDimSize(dim);
    std::optional<int64_t> length = getConstantIntValue(size);
    if (!isConstantIntValue(stride, 1))
      return false;
    auto value = dyn_cast<Value>(offset);
    if (!value) {
      if (!isConstantIntValue(offset, 0) || ShapedType::isDynamic(extent) || length != extent)
        return false;
      continue;
    }
    std::optional<Motion> motion = motionOf(value, update);
    if (!motion || !moving.insert(motion->loop).second)
      return false;
    scf::ForOp loop = motion->loop->loop;
    if (isDistributed(loop))
      continue;
    auto lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
         step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step <= 0 || ShapedType::isDynamic(extent) || *lower != 0 ||
        *upper * motion->factor < extent)
      return false;
    int64_t advance = *step * motion->factor;
    if (length ? *length < advance && *length < extent : !isRestOrFull(size, value, extent, advance))
      return false;
  }
  // A nest of which one loop may not run at all writes nothing.
  return llvm::all_of(update.loops, [](const CarryingLoop &carrying) {
    scf::ForOp loop = carrying.loop;
    auto lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound());
    return isDistributed(loop) || (lower && upper && *lower < *upper);
  });
}

} // namespace fuselage
