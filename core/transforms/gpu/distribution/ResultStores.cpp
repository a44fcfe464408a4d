#include "core/transforms/gpu/distribution/ResultStores.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A view element by element.
memref::SubViewOp plainView(Value buffer) {
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  bool isPlain =
      view && llvm::all_of(view.getMixedStrides(), [](OpFoldResult stride) { return isConstantIntValue(stride, 1); });
  return isPlain ? view : memref::SubViewOp();
}

bool isPlainCopy(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 &&
         op.getBlock()->getTerminator()->getOperand(0) == op.getMatchingBlockArgument(op.getDpsInputOperand(0)) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
}

/// Whether `dim` walks the innermost dimension of a buffer whose rows start at multiples of two, of elements that two
/// of are a power of two of bytes.
bool hasPairs(linalg::LinalgOp op, OpOperand &init, unsigned dim) {
  auto type = dyn_cast<MemRefType>(init.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&init);
  AffineExpr along = getAffineDimExpr(dim, op.getContext());
  if (!type || map.getNumResults() == 0 || map.getResults().back() != along || op.getStaticLoopRanges()[dim] % 2 != 0 ||
      llvm::any_of(map.getResults().drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); }))
    return false;
  Type element = type.getElementType();
  return element.isIntOrFloat() && llvm::is_contained({8u, 16u, 32u}, element.getIntOrFloatBitWidth()) &&
         startsAtMultiples(init.get(), 2);
}

} // namespace

std::optional<PartialStore> partialStoreOf(linalg::LinalgOp copy) {
  if (!isPlainCopy(copy))
    return std::nullopt;
  PartialStore store{copy, plainView(copy.getDpsInputs().front()), plainView(copy.getDpsInits().front())};
  return store.from && store.to && !store.from.getDroppedDims().any() ? std::optional(store) : std::nullopt;
}

std::optional<PartialStore> takePartialStore(RewriterBase &rewriter, linalg::LinalgOp last, Operation *at,
                                             llvm::function_ref<bool(Operation *)> isDone) {
  Value tile = last.getDpsInitOperand(0)->get();
  auto memory = tile.getDefiningOp<memref::AllocOp>();
  if (!memory || !memory.getType().hasStaticShape())
    return std::nullopt;
  SmallVector<Operation *> between;
  Operation *start = last->getBlock() == at->getBlock() ? last.getOperation() : at;
  Operation *next = start->getNextNode();
  for (; next && isMemoryEffectFree(next); next = next->getNextNode())
    between.push_back(next);
  auto copy = dyn_cast_or_null<linalg::LinalgOp>(next);
  std::optional<PartialStore> store = copy ? partialStoreOf(copy) : std::nullopt;
  if (!store || store->from.getSource() != tile ||
      !llvm::all_of(store->from->getUsers(), [&](Operation *user) { return user == copy.getOperation(); }))
    return std::nullopt;
  for (Operation *user : memory->getUsers())
    if (user != store->from && user != last.getOperation() && !isDone(user) && !isa<memref::DeallocOp>(user))
      return std::nullopt;
  for (Operation *pure : between)
    rewriter.moveOpBefore(pure, at);
  return store;
}

Value viewUnderTile(RewriterBase &rewriter, const PartialStore &store) {
  memref::SubViewOp from = store.from, to = store.to;
  Location loc = to.getLoc();
  SmallVector<OpFoldResult> offsets, sizes, strides(to.getMixedStrides());
  SmallVector<OpFoldResult> inTile = from.getMixedOffsets();
  ArrayRef<int64_t> shape = from.getSourceType().getShape();
  llvm::SmallBitVector isDropped = to.getDroppedDims(); // such as the number of a part
  unsigned dim = 0;
  for (auto [number, start] : llvm::enumerate(to.getMixedOffsets())) {
    if (isDropped.test(number)) {
      offsets.push_back(start);
      sizes.push_back(rewriter.getIndexAttr(1));
      continue;
    }
    OpFoldResult skipped = inTile[dim];
    sizes.push_back(rewriter.getIndexAttr(shape[dim++]));
    Value first = getValueOrCreateConstantIndexOp(rewriter, loc, start),
          repeated = getValueOrCreateConstantIndexOp(rewriter, loc, skipped);
    offsets.push_back(isConstantIntValue(skipped, 0)
                          ? start
                          : OpFoldResult(rewriter.createOrFold<arith::SubIOp>(loc, first, repeated)));
  }
  auto type = memref::SubViewOp::inferRankReducedResultType(shape, to.getSourceType(), offsets, sizes, strides);
  return memref::SubViewOp::create(rewriter, loc, cast<MemRefType>(type), to.getSource(), offsets, sizes, strides);
}

void storePartly(RewriterBase &rewriter, const PartialStore &store, Value view, linalg::LinalgOp last,
                 ArrayRef<SmallVector<Value>> points, ValueRange values, int64_t width) {
  Location loc = last.getLoc();
  memref::SubViewOp from = store.from;
  SmallVector<OpFoldResult> skipped = from.getMixedOffsets();
  AffineMap map = last.getMatchingIndexingMap(last.getDpsInitOperand(0));
  SmallVector<unsigned> parallel;
  last.getParallelDims(parallel);
  auto isWhole = [&](OpFoldResult offset) {
    Value value = dyn_cast<Value>(offset);
    return value ? isMultipleOf(value, width) : *getConstantIntValue(offset) % width == 0;
  };
  if (skipped.empty() || !isWhole(skipped.back()) || points.size() % width != 0)
    width = 1;
  Type element = cast<MemRefType>(view.getType()).getElementType();
  bool inPairs = width == 2 && element.isIntOrFloat() &&
                 llvm::is_contained({8u, 16u, 32u}, element.getIntOrFloatBitWidth()) && startsAtMultiples(view, width);
  for (size_t first = 0; first < points.size(); first += width) {
    auto indicesOf = [&](size_t point) {
      SmallVector<Value> ivs(last.getNumLoops());
      for (auto [loop, iv] : llvm::zip_equal(parallel, points[point]))
        ivs[loop] = iv;
      auto indices = affine::expandAffineMap(rewriter, loc, map, ivs);
      return SmallVector<Value>(indices->begin(), indices->end());
    };
    SmallVector<SmallVector<Value>> indices;
    for (int64_t point = 0; point < width; ++point)
      indices.push_back(indicesOf(first + point));
    Value isOwn;
    for (auto [index, offset] : llvm::zip_equal(indices.front(), skipped)) {
      if (isConstantIntValue(offset, 0))
        continue;
      Value repeated = getValueOrCreateConstantIndexOp(rewriter, loc, offset);
      Value isHere = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge, index, repeated);
      isOwn = isOwn ? Value(arith::AndIOp::create(rewriter, loc, isOwn, isHere)) : isHere;
    }
    OpBuilder::InsertionGuard guard(rewriter);
    if (isOwn)
      rewriter.setInsertionPoint(scf::IfOp::create(rewriter, loc, isOwn).thenBlock()->getTerminator());
    if (inPairs) {
      Value pair = vector::FromElementsOp::create(rewriter, loc, VectorType::get(2, element), values.slice(first, 2));
      vector::StoreOp::create(rewriter, loc, pair, view, indices.front(), /*nontemporal=*/false,
                              llvm::MaybeAlign(element.getIntOrFloatBitWidth() / 4));
      continue;
    }
    for (int64_t point = 0; point < width; ++point)
      memref::StoreOp::create(rewriter, loc, values[first + point], view, indices[point]);
  }
}

int64_t neighboursAlong(linalg::LinalgOp last, unsigned loop, int64_t count) {
  SmallVector<unsigned> parallel;
  last.getParallelDims(parallel);
  AffineMap map = last.getMatchingIndexingMap(last.getDpsInitOperand(0));
  bool isInnermost =
      map.getNumResults() != 0 && map.getResults().back() == getAffineDimExpr(parallel[loop], last.getContext());
  return isInnermost ? count : 1;
}

void storeInPairs(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points, ValueRange values,
                  unsigned loop) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<OpOperand *> inits;
  for (OpOperand &init : op.getDpsInitsMutable())
    inits.push_back(&init);
  if (points.size() % 2 != 0 ||
      !llvm::all_of(inits, [&](OpOperand *init) { return hasPairs(op, *init, parallel[loop]); }))
    return storeOutputs(rewriter, op, points, values);
  Location loc = op.getLoc();
  for (size_t point = 0; point < points.size(); point += 2)
    for (auto [number, init] : llvm::enumerate(inits)) {
      SmallVector<Value> ivs(op.getNumLoops());
      for (auto [dim, iv] : llvm::zip_equal(parallel, points[point]))
        ivs[dim] = iv;
      auto indices = affine::expandAffineMap(rewriter, loc, op.getMatchingIndexingMap(init), ivs);
      Type element = cast<MemRefType>(init->get().getType()).getElementType();
      Value first = values[point * inits.size() + number], second = values[(point + 1) * inits.size() + number];
      Value pair =
          vector::FromElementsOp::create(rewriter, loc, VectorType::get(2, element), ValueRange{first, second});
      vector::StoreOp::create(rewriter, loc, pair, init->get(), *indices, /*nontemporal=*/false,
                              llvm::MaybeAlign(element.getIntOrFloatBitWidth() / 4));
    }
}

} // namespace fuselage
