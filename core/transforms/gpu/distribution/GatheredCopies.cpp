#include "core/transforms/gpu/distribution/GatheredCopies.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t vectorBytes = 16;
constexpr int64_t mostRounds = 16; ///< side by side

/// What the body picks.
struct Pick {
  memref::LoadOp load;
  arith::SelectOp choice; ///< null: always the element
  int64_t width = 0;      ///< elements in 16 bytes
};

/// True if `value`, computed in the body, changes along loop `dim`.
bool dependsOn(Value value, linalg::LinalgOp op, unsigned dim) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock())
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return index.getDim() == dim;
  return llvm::any_of(def->getOperands(), [&](Value operand) { return dependsOn(operand, op, dim); });
}

/// True if `value` is the index of loop `dim` and something that is a multiple of `width`.
bool stepsAlong(Value value, linalg::LinalgOp op, unsigned dim, int64_t width) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return index.getDim() == dim;
  auto isEither = [&](Value first, Value second) {
    return (stepsAlong(first, op, dim, width) && isMultipleOf(second, width)) ||
           (stepsAlong(second, op, dim, width) && isMultipleOf(first, width));
  };
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isEither(sum.getLhs(), sum.getRhs());
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  AffineExpr expr = apply ? apply.getAffineMap().getResult(0) : AffineExpr();
  auto sum = dyn_cast_if_present<AffineBinaryOpExpr>(expr);
  bool isSum = sum && sum.getKind() == AffineExprKind::Add && apply.getNumOperands() == 2 &&
               isa<AffineDimExpr, AffineSymbolExpr>(sum.getLHS()) && isa<AffineDimExpr, AffineSymbolExpr>(sum.getRHS());
  return isSum && isEither(apply.getOperand(0), apply.getOperand(1));
}

/// Elements in 16 bytes; 0 of types that are none of whole bytes.
int64_t widthOf(Type element) {
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  return bits < 8 || bits > 64 || !llvm::isPowerOf2_64(bits) ? 0 : vectorBytes * 8 / bits;
}

std::optional<Pick> pickOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      op.getNumLoops() == 0 || !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  Pick pick;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      if (pick.load)
        return std::nullopt;
      pick.load = load;
    } else if (!isMemoryEffectFree(&inner) || inner.getNumRegions() != 0) {
      return std::nullopt;
    }
  }
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  pick.choice = yielded.getDefiningOp<arith::SelectOp>();
  Attribute otherwise;
  if (pick.choice && !matchPattern(pick.choice.getFalseValue(), m_Constant(&otherwise)))
    return std::nullopt;
  if (!pick.load || pick.load.getIndices().empty() ||
      (pick.choice ? pick.choice.getTrueValue() : yielded) != pick.load.getResult())
    return std::nullopt;
  unsigned inner = op.getNumLoops() - 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  pick.width = widthOf(pick.load.getType());
  bool isWhole = pick.width > 1 && llvm::none_of(ranges, ShapedType::isDynamic) && ranges[inner] % pick.width == 0 &&
                 startsAtMultiples(pick.load.getMemRef(), pick.width) &&
                 startsAtMultiples(op.getDpsInits().front(), pick.width);
  if (!isWhole || !stepsAlong(pick.load.getIndices().back(), op, inner, pick.width) ||
      llvm::any_of(pick.load.getIndices().drop_back(), [&](Value index) { return dependsOn(index, op, inner); }) ||
      (pick.choice && dependsOn(pick.choice.getCondition(), op, inner)))
    return std::nullopt;
  return pick;
}

/// The body for the 16 bytes that start at `indices`.
void emitPick(RewriterBase &rewriter, linalg::LinalgOp op, Pick pick, ArrayRef<Value> indices) {
  IRMapping mapping;
  Location loc = op.getLoc();
  auto type = VectorType::get(pick.width, pick.load.getType());
  Value stored;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), indices[index.getDim()]);
    } else if (&inner == pick.load) {
      SmallVector<Value> from;
      for (Value index : pick.load.getIndices())
        from.push_back(mapping.lookupOrDefault(index));
      stored = vector::LoadOp::create(rewriter, loc, type, pick.load.getMemRef(), from, /*nontemporal=*/false,
                                      llvm::MaybeAlign(vectorBytes));
    } else if (&inner == pick.choice) {
      Attribute otherwise;
      (void)matchPattern(pick.choice.getFalseValue(), m_Constant(&otherwise));
      Value others = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, otherwise));
      stored =
          arith::SelectOp::create(rewriter, loc, mapping.lookupOrDefault(pick.choice.getCondition()), stored, others);
    } else {
      rewriter.clone(inner, mapping);
    }
  }
  vector::StoreOp::create(rewriter, loc, stored, op.getDpsInits().front(), indices, /*nontemporal=*/false,
                          llvm::MaybeAlign(vectorBytes));
}

} // namespace

bool distributePicks(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, int64_t threads) {
  std::optional<Pick> pick = pickOf(op);
  if (!pick)
    return false;
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  shape.back() /= pick->width;
  int64_t total = 1;
  SmallVector<Value> extents;
  for (int64_t size : shape) {
    total *= size;
    extents.push_back(constant(size));
  }
  auto emit = [&](Value number) {
    SmallVector<Value> indices = delinearize(rewriter, loc, number, extents);
    indices.back() = rewriter.createOrFold<arith::MulIOp>(loc, indices.back(), constant(pick->width));
    emitPick(rewriter, op, *pick, indices);
  };
  OpBuilder::InsertionGuard guard(rewriter);
  if (total % threads == 0 && total / threads <= mostRounds) {
    for (int64_t first = 0; first < total; first += threads)
      emit(rewriter.createOrFold<arith::AddIOp>(loc, thread, constant(first)));
    return true;
  }
  auto loop = scf::ForOp::create(rewriter, loc, thread, constant(total), constant(threads));
  rewriter.setInsertionPointToStart(loop.getBody());
  emit(loop.getInductionVar());
  return true;
}

} // namespace fuselage
