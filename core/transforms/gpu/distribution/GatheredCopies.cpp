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

/// The element that the body gathers.
struct Gather {
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

std::optional<Gather> gatherOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      op.getNumLoops() == 0 || !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  Gather gather;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      if (gather.load)
        return std::nullopt;
      gather.load = load;
    } else if (!isMemoryEffectFree(&inner) || inner.getNumRegions() != 0) {
      return std::nullopt;
    }
  }
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  gather.choice = yielded.getDefiningOp<arith::SelectOp>();
  Attribute otherwise;
  if (gather.choice && !matchPattern(gather.choice.getFalseValue(), m_Constant(&otherwise)))
    return std::nullopt;
  if (!gather.load || gather.load.getIndices().empty() ||
      (gather.choice ? gather.choice.getTrueValue() : yielded) != gather.load.getResult())
    return std::nullopt;
  unsigned inner = op.getNumLoops() - 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  gather.width = widthOf(gather.load.getType());
  bool isWhole = gather.width > 1 && llvm::none_of(ranges, ShapedType::isDynamic) &&
                 ranges[inner] % gather.width == 0 && startsAtMultiples(gather.load.getMemRef(), gather.width) &&
                 startsAtMultiples(op.getDpsInits().front(), gather.width);
  if (!isWhole || !stepsAlong(gather.load.getIndices().back(), op, inner, gather.width) ||
      llvm::any_of(gather.load.getIndices().drop_back(), [&](Value index) { return dependsOn(index, op, inner); }) ||
      (gather.choice && dependsOn(gather.choice.getCondition(), op, inner)))
    return std::nullopt;
  return gather;
}

/// The body for the 16 bytes that start at `indices`.
void emitGather(RewriterBase &rewriter, linalg::LinalgOp op, Gather gather, ArrayRef<Value> indices) {
  IRMapping mapping;
  Location loc = op.getLoc();
  auto type = VectorType::get(gather.width, gather.load.getType());
  Value stored;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), indices[index.getDim()]);
    } else if (&inner == gather.load) {
      SmallVector<Value> from;
      for (Value index : gather.load.getIndices())
        from.push_back(mapping.lookupOrDefault(index));
      stored = vector::LoadOp::create(rewriter, loc, type, gather.load.getMemRef(), from, /*nontemporal=*/false,
                                      llvm::MaybeAlign(vectorBytes));
    } else if (&inner == gather.choice) {
      Attribute otherwise;
      (void)matchPattern(gather.choice.getFalseValue(), m_Constant(&otherwise));
      Value others = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, otherwise));
      stored =
          arith::SelectOp::create(rewriter, loc, mapping.lookupOrDefault(gather.choice.getCondition()), stored, others);
    } else {
      rewriter.clone(inner, mapping);
    }
  }
  vector::StoreOp::create(rewriter, loc, stored, op.getDpsInits().front(), indices, /*nontemporal=*/false,
                          llvm::MaybeAlign(vectorBytes));
}

} // namespace

bool distributeGather(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, int64_t threads) {
  std::optional<Gather> gather = gatherOf(op);
  if (!gather)
    return false;
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  shape.back() /= gather->width;
  int64_t total = 1;
  SmallVector<Value> extents;
  for (int64_t size : shape) {
    total *= size;
    extents.push_back(constant(size));
  }
  auto emit = [&](Value number) {
    SmallVector<Value> indices = delinearize(rewriter, loc, number, extents);
    indices.back() = rewriter.createOrFold<arith::MulIOp>(loc, indices.back(), constant(gather->width));
    emitGather(rewriter, op, *gather, indices);
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
