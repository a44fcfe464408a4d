// Producers: a slice that an iteration reads is computed there, and then the slices that this
// reads.
#include "core/interfaces/IndexFacts.h"
#include "core/transforms/TileFuser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
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

/// True if something outside of the loops needs the value of `op`.
bool TileFuser::isUsedOutside(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !nest_->contains(user) && user != nest_->outermost() && !isa<tensor::DimOp>(user) &&
           !vanishing_.contains(user);
  });
}

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
    refuse(op, /*isConsumer=*/false,
           {FusableReason::TilesOverlap, "it is computed again for its other users"});
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
    Value init = tensor::EmptyOp::create(rewriter_, op->getLoc(), type.getShape(),
                                         type.getElementType(), type.getEncoding());
    yields_.push_back({op->getResult(0), NestTile{tile, offsets, sizes, init}});
    vanishing_.insert(op);
  }
  if (isFused)
    result_.producers.push_back(op->getName().getStringRef().str());
  eraseIfDead(op);
}

/// The slices that are the same tile, to be computed in front of the first of them. Those in
/// another block (what padding leaves to choose) have a tile of their own.
std::vector<TileFuser::Slices> TileFuser::equalSlices(ArrayRef<tensor::ExtractSliceOp> slices) {
  std::vector<Slices> groups;
  std::map<std::vector<uint64_t>, size_t> known;
  for (tensor::ExtractSliceOp slice : slices) {
    std::vector<uint64_t> key;
    auto addPointer = [&](const void *pointer) {
      key.push_back(reinterpret_cast<uintptr_t>(pointer));
    };
    addPointer(slice->getBlock());
    addPointer(slice.getSource().getAsOpaquePointer());
    addPointer(slice.getType().getAsOpaquePointer());
    for (const auto &indices :
         {slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides()})
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
    llvm::sort(group, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
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
        b, slice.getLoc(),
        AffineMap::get(1, 0, {reach, b.getAffineConstantExpr(0)}, b.getContext()), {size});
  }
  return sizes;
}

/// "2 of every 3", of the first dimension with a stride.
static std::string describeStride(tensor::ExtractSliceOp slice) {
  for (auto [dim, stride] : llvm::enumerate(slice.getMixedStrides()))
    if (!isConstantIntValue(stride, 1))
      return (llvm::Twine("one of every ") + describeIndex(stride) + " elements of dimension " +
              llvm::Twine(dim))
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
std::optional<FusableRefusal> TileFuser::whyNotAlong(Operation *op, const Slices &slices,
                                                     OpOperand *init) {
  tensor::ExtractSliceOp slice = slices.front();
  if (!isMemoryEffectFree(op))
    return FusableRefusal{FusableReason::TileRefused, "it has side effects"};
  bool isKnown = llvm::all_of(slice.getMixedStrides(), [](OpFoldResult stride) {
    return getConstantIntValue(stride).value_or(0) > 0;
  });
  if (!isKnown ||
      (!slice.hasUnitStride() && !options_.coverStridedTiles && !isa<tensor::CastOp>(op)))
    return FusableRefusal{FusableReason::StridedTile, describeStride(slice)};
  if (llvm::is_contained(slice.getType().getShape(), 0))
    return FusableRefusal{FusableReason::EmptyTile};
  if (init && !isParallel_)
    return FusableRefusal{FusableReason::AccumulatorReset};
  if (init && !isOnlyReadBy(slice.getSource(), slices))
    return FusableRefusal{FusableReason::OperandTilesDiffer,
                          "the loops read it at other places as well"};
  auto isInvariant = [&](OpFoldResult index) { return nest_->isInvariant(index); };
  if (!init && llvm::all_of(slice.getMixedOffsets(), isInvariant) &&
      llvm::all_of(slice.getMixedSizes(), isInvariant))
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
  return tensor::EmptyOp::create(rewriter, op->getLoc(), sizes[number], type.getElementType(),
                                 type.getEncoding())
      .getResult();
}

/// One slice in place of each of `slices` and the one that they are of.
void TileFuser::mergeSlices(tensor::ExtractSliceOp producer, const Slices &slices) {
  for (tensor::ExtractSliceOp slice : slices) {
    rewriter_.setInsertionPoint(slice);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    if (failed(affine::mergeOffsetsSizesAndStrides(rewriter_, slice.getLoc(), producer, slice,
                                                   producer.getDroppedDims(), offsets, sizes,
                                                   strides))) {
      refuse(producer, /*isConsumer=*/false, {FusableReason::TileRefused});
      continue;
    }
    auto merged = tensor::ExtractSliceOp::create(rewriter_, slice.getLoc(), slice.getType(),
                                                 producer.getSource(), offsets, sizes, strides);
    rewriter_.replaceOp(slice, merged);
    enqueue(merged);
  }
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
  if (auto refusal =
          cast<FusableOpInterface>(op).explainResultTile(value.getResultNumber(), offsets, sizes))
    return decline(*refusal);

  // A tile of what the loops carry is written where it is carried.
  Operation *source = op;
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  FailureOr<Value> newInit =
      init ? initBefore(rewriter_, op, value.getResultNumber()) : FailureOr<Value>(Value());
  if (failed(newInit))
    return decline(
        {FusableReason::TileRefused, "its result's sizes are not known in front of the loop"});
  if (init && destination) {
    source = rewriter_.clone(*op);
    source->setOperand(destination.getDpsInitOperand(value.getResultNumber())->getOperandNumber(),
                       slice.getSource());
  }
  FailureOr<TilingResult> tiled = cast<FusableOpInterface>(source).generateResultTileValue(
      rewriter_, value.getResultNumber(), offsets, sizes);
  if (source != op) {
    for (OpOperand &use : llvm::make_early_inc_range(source->getUses()))
      if (isa<tensor::DimOp>(use.getOwner()))
        rewriter_.modifyOpInPlace(use.getOwner(), [&] { use.set(*newInit); });
    if (source->use_empty())
      rewriter_.eraseOp(source);
  }
  if (failed(tiled) || tiled->tiledValues.empty())
    return decline({FusableReason::TileRefused});

  Value tile = tiled->tiledValues.front();
  bool isMerged = false;
  if (!slice.hasUnitStride() ||
      cast<RankedTensorType>(tile.getType()).getRank() != slice.getType().getRank()) {
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter_.getIndexAttr(0)),
        strides = slice.getMixedStrides();
    SmallVector<OpFoldResult> lengths = slice.getMixedSizes();
    Value of = tile;
    // Of a slice, it is one slice again.
    if (auto inner = tile.getDefiningOp<tensor::ExtractSliceOp>();
        inner && inner.hasUnitStride() &&
        inner.getType().getRank() == inner.getSourceType().getRank()) {
      of = inner.getSource();
      zeros = inner.getMixedOffsets();
      isMerged = true;
    }
    tile = tensor::ExtractSliceOp::create(rewriter_, slice.getLoc(), slice.getType(), of, zeros,
                                          lengths, strides);
    if (isMerged)
      enqueue(tile.getDefiningOp<tensor::ExtractSliceOp>());
  }
  tile = castTo(tile, slice.getType());
  for (tensor::ExtractSliceOp equal : slices)
    rewriter_.replaceOp(equal, tile);
  if (init)
    rewriter_.modifyOpInPlace(nest_->outermost(), [&] { init->set(*newInit); });
  for (Operation *generated : tiled->generatedSlices)
    if (auto next = dyn_cast<tensor::ExtractSliceOp>(generated); next && !isMerged)
      enqueue(next);
  return tile;
}

/// True if the loops can return the value of `op` that they compute along `slices`, to all others
/// that read it.
bool TileFuser::canYield(Operation *op, const Slices &slices) {
  tensor::ExtractSliceOp slice = slices.front();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (op->getNumResults() != 1 || !type || !type.hasStaticShape() ||
      slice.getSource() != op->getResult(0) || !slice.hasUnitStride() ||
      slice.getType().getRank() != type.getRank() || slice->getBlock() != nest_->body() ||
      !nest_->isPartition(slice.getMixedOffsets(), slice.getMixedSizes(), type.getShape()))
    return false;
  Operation *loop = nest_->outermost();
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *there = loop->getBlock()->findAncestorOpInBlock(*user);
    return isa<tensor::DimOp>(user) ||
           (there && (there == loop ? user != loop : loop->isBeforeInBlock(there)));
  });
}

/// Erases `op` if at most its sizes are asked for.
void TileFuser::eraseIfDead(Operation *op) {
  if (!isMemoryEffectFree(op) ||
      !llvm::all_of(op->getUsers(), [](Operation *user) { return isa<tensor::DimOp>(user); }))
    return;
  if (!op->use_empty()) {
    OpBuilder::InsertionGuard guard(rewriter_);
    rewriter_.setInsertionPoint(op);
    ReifiedRankedShapedTypeDims sizes;
    if (failed(sizesOfResults(rewriter_, op, sizes)))
      return;
    numbers_ = IndexNumbering(); // dimensions that it may know vanish
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      auto dim = cast<tensor::DimOp>(use.getOwner());
      std::optional<int64_t> index = dim.getConstantIndex();
      auto value = cast<OpResult>(use.get());
      if (!index || *index < 0 || *index >= int64_t(sizes[value.getResultNumber()].size()))
        return;
      rewriter_.replaceOp(dim,
                          getValueOrCreateConstantIndexOp(rewriter_, op->getLoc(),
                                                          sizes[value.getResultNumber()][*index]));
    }
  }
  if (op->use_empty())
    rewriter_.eraseOp(op);
}

/// Names the producers of which every iteration reads all: tiling made no slice of them.
void TileFuser::reportInvariants() {
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Operation &op : *nest_->body())
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!isa<tensor::ExtractSliceOp, tensor::DimOp>(op) &&
          isa_and_nonnull<TilingInterface>(producer) &&
          producer->getBlock() == nest_->outermost()->getBlock() && seen.insert(producer).second)
        refuse(producer, /*isConsumer=*/false, {FusableReason::LoopInvariant, "all of it"});
    }
}

/// Lets the loops return the shared producers' values.
void TileFuser::yieldProducers() {
  SmallVector<NestTile> tiles =
      llvm::map_to_vector(yields_, [](const auto &yield) { return yield.second; });
  for (auto [yield, made] : llvm::zip_equal(yields_, nest_->addResults(rewriter_, tiles))) {
    rewriter_.replaceAllUsesWith(yield.first, made);
    eraseIfDead(yield.first.getOwner());
  }
}

} // namespace fuselage
