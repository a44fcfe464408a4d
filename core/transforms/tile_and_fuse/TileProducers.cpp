// Producers: a slice that an iteration reads is computed there, and then the slices that this
// reads.
#include "core/interfaces/IndexFacts.h"
#include "core/transforms/tile_and_fuse/TileFuser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Twine.h"
#include <map>

using namespace mlir;

namespace fuselage {

void TileFuser::fuseProducers() {
  SmallVector<tensor::ExtractSliceOp> slices;
  nest_->body()->walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  for (tensor::ExtractSliceOp slice : slices)
    enqueue(slice);
  while (!producers_.empty()) {
    // The last one: all that read it are in the loops by now, and all slices of it known.
    Operation *op = *producers_.begin();
    producers_.erase(producers_.begin());
    fuseProducer(op);
  }
  reportInvariants();
  yieldProducers();
}

/// Notes a slice in the loops for the turn of what computes its source.
void TileFuser::enqueue(tensor::ExtractSliceOp slice) {
  OpOperand *init = nullptr;
  Operation *op = nest_->outside(slice.getSource(), init).getDefiningOp();
  if (!op || nest_->contains(op))
    return;
  if (op->getBlock() != nest_->outermost()->getBlock()) {
    if (isa<TilingInterface>(op))
      refuse(op, /*isConsumer=*/false, {FusableReason::OtherBlock});
    return;
  }
  slicesOf_[op].push_back(slice);
  producers_.insert(op);
}

/// True if `op` computes nothing: it costs nothing to have it twice.
static bool isView(Operation *op) { return !isa<TilingInterface>(op); }

void TileFuser::fuseProducer(Operation *op) {
  SmallVector<tensor::ExtractSliceOp> slices = std::move(slicesOf_[op]);
  slicesOf_.erase(op);
  if (!isa<FusableOpInterface>(op)) {
    // Values that nothing computes are just read.
    if (op->getNumOperands() > 0 && !isa<tensor::EmptyOp>(op))
      refuse(op, /*isConsumer=*/false, {FusableReason::NotFusable});
    return;
  }
  bool isShared = !isView(op) && isUsedOutside(op);
  if (isShared && options_.shared == SharedProducer::Keep)
    return refuse(op, /*isConsumer=*/false, {FusableReason::SharedValue});
  if (isDeclined(op, /*isConsumer=*/false))
    return;
  std::vector<Slices> groups = equalSlices(slices);
  bool yields = isShared && options_.shared == SharedProducer::Yield;
  if (yields && (groups.size() != 1 || !canYield(op, groups.front()))) {
    refuse(op, /*isConsumer=*/false, {FusableReason::TilesOverlap, "it is computed again for its other users"});
    yields = false;
  }
  bool isFused = false;
  for (const Slices &group : groups) {
    tensor::ExtractSliceOp slice = group.front();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
    Value tile = fuseAlong(op, group);
    isFused |= tile != nullptr;
    if (!tile || !yields)
      continue;
    OpBuilder::InsertionGuard guard(rewriter_);
    rewriter_.setInsertionPoint(nest_->outermost());
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value init =
        tensor::EmptyOp::create(rewriter_, op->getLoc(), type.getShape(), type.getElementType(), type.getEncoding());
    yields_.push_back({op->getResult(0), NestTile{tile, offsets, sizes, init}});
    vanishing_.insert(op);
  }
  isMultiResult_ |= isFused && op->getNumResults() > 1;
  if (isFused)
    result_.producers.push_back(op->getName().getStringRef().str());
  eraseIfDead(op);
}

/// True if `a` stands before `b`, of the same block. Looks outwards from both: the users of
/// one value stand close to each other, and MLIR would number the whole block again after each op
/// added.
static bool standsBefore(Operation *a, Operation *b) {
  for (Operation *fromA = a, *fromB = b; fromA && fromB;) {
    fromA = fromA->getNextNode();
    if (fromA == b)
      return true;
    fromB = fromB->getNextNode();
    if (fromB == a)
      return false;
    if (!fromB)
      return true; // a was not after b
  }
  return false;
}

/// The slices that are the same tile, to be computed before the first of them. Those in
/// another block (what padding leaves to choose) have a tile of their own.
std::vector<TileFuser::Slices> TileFuser::equalSlices(ArrayRef<tensor::ExtractSliceOp> slices) {
  std::vector<Slices> groups;
  std::map<std::vector<uint64_t>, size_t> known;
  for (tensor::ExtractSliceOp slice : slices) {
    std::vector<uint64_t> key;
    auto addPointer = [&](const void *pointer) { key.push_back(reinterpret_cast<uintptr_t>(pointer)); };
    addPointer(slice->getBlock());
    addPointer(slice.getSource().getAsOpaquePointer());
    addPointer(slice.getType().getAsOpaquePointer());
    for (const auto &indices : {slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides()})
      for (OpFoldResult index : indices) {
        auto [kind, word] = numbers_.key(index);
        key.insert(key.end(), {kind, word});
      }
    auto [entry, isNew] = known.try_emplace(std::move(key), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[entry->second].push_back(slice);
  }
  for (Slices &group : groups)
    for (tensor::ExtractSliceOp &slice : llvm::drop_begin(group))
      if (standsBefore(slice, group.front()))
        std::swap(slice, group.front());
  return groups;
}

/// The sizes of the tile with unit strides that has all of the slice.
static SmallVector<OpFoldResult> coverSizes(OpBuilder &b, tensor::ExtractSliceOp slice) {
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  for (auto [size, stride] : llvm::zip_equal(sizes, slice.getMixedStrides())) {
    int64_t step = getConstantIntValue(stride).value_or(1);
    if (step == 1)
      continue;
    AffineExpr reach = (b.getAffineDimExpr(0) - 1) * step + 1;
    size = affine::makeComposedFoldedAffineMax(
        b, slice.getLoc(), AffineMap::get(1, 0, {reach, b.getAffineConstantExpr(0)}, b.getContext()), {size});
  }
  return sizes;
}

/// "2 of every 3", of the first dimension with a stride.
static std::string describeStride(tensor::ExtractSliceOp slice) {
  for (auto [dim, stride] : llvm::enumerate(slice.getMixedStrides()))
    if (!isConstantIntValue(stride, 1))
      return (llvm::Twine("one of every ") + describeIndex(stride) + " elements of dimension " + llvm::Twine(dim))
          .str();
  return "";
}

/// True if the loops use the value that they carry in `argument` for `slices` only.
static bool isOnlyReadBy(Value argument, ArrayRef<tensor::ExtractSliceOp> slices) {
  return llvm::all_of(argument.getUses(), [&](OpOperand &use) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
      return insert.getDest() == argument && insert.getSource() != argument;
    if (isa<tensor::ParallelInsertSliceOp, tensor::DimOp>(use.getOwner()))
      return true;
    return llvm::is_contained(slices, dyn_cast<tensor::ExtractSliceOp>(use.getOwner()));
  });
}

/// Why `op` cannot be computed along `slices`, as far as that is known without trying. `init`: the
/// loops' operand that the slices are of.
std::optional<FusableRefusal> TileFuser::whyNotAlong(Operation *op, const Slices &slices, OpOperand *init) {
  tensor::ExtractSliceOp slice = slices.front();
  if (!isMemoryEffectFree(op))
    return FusableRefusal{FusableReason::TileRefused, "it has side effects"};
  bool isKnown = llvm::all_of(slice.getMixedStrides(),
                              [](OpFoldResult stride) { return getConstantIntValue(stride).value_or(0) > 0; });
  if (!isKnown || (!slice.hasUnitStride() && !options_.coverStridedTiles && !isa<tensor::CastOp>(op)))
    return FusableRefusal{FusableReason::StridedTile, describeStride(slice)};
  if (llvm::is_contained(slice.getType().getShape(), 0) || llvm::is_contained(slice.getSourceType().getShape(), 0))
    return FusableRefusal{FusableReason::EmptyTile};
  if (init && !isParallel_)
    return FusableRefusal{FusableReason::AccumulatorReset};
  if (init && !isOnlyReadBy(slice.getSource(), slices))
    return FusableRefusal{FusableReason::OperandTilesDiffer, "the loops read it at other places as well"};
  auto isInvariant = [&](OpFoldResult index) { return nest_->isInvariant(index); };
  if (!init && llvm::all_of(slice.getMixedOffsets(), isInvariant) && llvm::all_of(slice.getMixedSizes(), isInvariant))
    return FusableRefusal{FusableReason::LoopInvariant};
  return std::nullopt;
}

/// What the loops can begin with in place of result `number` of `op`, all of which they compute.
static FailureOr<Value> initBefore(RewriterBase &rewriter, Operation *op, unsigned number) {
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.getDpsInits()[number];
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ReifiedRankedShapedTypeDims sizes;
  if (failed(sizesOfResults(rewriter, op, sizes)))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(number).getType());
  return tensor::EmptyOp::create(rewriter, op->getLoc(), sizes[number], type.getElementType(), type.getEncoding())
      .getResult();
}

/// Computes the tile of `value` at the place of `slice`, of `sizes`. With a `newInit`, the slice is
/// of what the loops carry: there the tile is written to.
FailureOr<TilingResult> TileFuser::computeTile(OpResult value, tensor::ExtractSliceOp slice,
                                               ArrayRef<OpFoldResult> sizes, Value newInit) {
  Operation *op = value.getOwner();
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!newInit || !destination)
    return cast<FusableOpInterface>(op).generateResultTileValue(rewriter_, value.getResultNumber(),
                                                                slice.getMixedOffsets(), sizes);
  Operation *copy = rewriter_.clone(*op);
  OpOperand *written = destination.getDpsInitOperand(value.getResultNumber());
  copy->setOperand(written->getOperandNumber(), slice.getSource());
  FailureOr<TilingResult> tiled = cast<FusableOpInterface>(copy).generateResultTileValue(
      rewriter_, value.getResultNumber(), slice.getMixedOffsets(), sizes);
  for (OpOperand &use : llvm::make_early_inc_range(copy->getUses()))
    if (isa<tensor::DimOp>(use.getOwner()))
      rewriter_.modifyOpInPlace(use.getOwner(), [&] { use.set(newInit); });
  if (copy->use_empty())
    rewriter_.eraseOp(copy);
  return tiled;
}

/// What `slice` has of the tile that covers it. Of a tile that is itself a slice, it is one slice
/// again, along which fusion goes on: then `isMerged`.
Value TileFuser::fitTile(Value tile, tensor::ExtractSliceOp slice, bool &isMerged) {
  int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
  if (slice.hasUnitStride() && rank == slice.getType().getRank())
    return castTo(tile, slice.getType());
  SmallVector<OpFoldResult> offsets(rank, rewriter_.getIndexAttr(0));
  auto inner = tile.getDefiningOp<tensor::ExtractSliceOp>();
  isMerged = inner && inner.hasUnitStride() && inner.getSourceType().getRank() == rank;
  if (isMerged) {
    tile = inner.getSource();
    offsets = inner.getMixedOffsets();
  }
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  auto part = tensor::ExtractSliceOp::create(rewriter_, slice.getLoc(), slice.getType(), tile, offsets, sizes,
                                             neededStrides(rewriter_, sizes, slice.getMixedStrides()));
  if (isMerged)
    enqueue(part);
  return part;
}

/// Computes the tile that `slices` are in their place, and returns it; null if that is refused.
Value TileFuser::fuseAlong(Operation *op, const Slices &slices) {
  tensor::ExtractSliceOp slice = slices.front();
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPoint(slice);
  OpOperand *init = nullptr;
  auto value = cast<OpResult>(nest_->outside(slice.getSource(), init));
  auto decline = [&](FusableRefusal refusal) {
    refuse(op, /*isConsumer=*/false, std::move(refusal));
    return Value();
  };
  if (auto refusal = whyNotAlong(op, slices, init))
    return decline(*refusal);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = coverSizes(rewriter_, slice);
  if (auto refusal = cast<FusableOpInterface>(op).explainResultTile(value.getResultNumber(), offsets, sizes))
    return decline(*refusal);

  FailureOr<Value> newInit = init ? initBefore(rewriter_, op, value.getResultNumber()) : FailureOr<Value>(Value());
  if (failed(newInit))
    return decline({FusableReason::TileRefused, "its result's sizes are not known before the loop"});
  FailureOr<TilingResult> tiled = computeTile(value, slice, sizes, *newInit);
  if (failed(tiled) || tiled->tiledValues.empty())
    return decline({FusableReason::TileRefused});
  bool isMerged = false;
  Value tile = fitTile(tiled->tiledValues.front(), slice, isMerged);
  for (tensor::ExtractSliceOp equal : slices)
    rewriter_.replaceOp(equal, tile);
  if (init)
    rewriter_.modifyOpInPlace(nest_->outermost(), [&] { init->set(*newInit); });
  for (Operation *generated : tiled->generatedSlices)
    if (auto next = dyn_cast<tensor::ExtractSliceOp>(generated); next && !isMerged)
      enqueue(next);
  return tile;
}

/// Names the producers of which every iteration reads all: tiling made no slice of them.
void TileFuser::reportInvariants() {
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Operation &op : *nest_->body())
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!isa<tensor::ExtractSliceOp, tensor::DimOp>(op) && isa_and_nonnull<TilingInterface>(producer) &&
          producer->getBlock() == nest_->outermost()->getBlock() && seen.insert(producer).second)
        refuse(producer, /*isConsumer=*/false, {FusableReason::LoopInvariant, "all of it"});
    }
}

} // namespace fuselage
