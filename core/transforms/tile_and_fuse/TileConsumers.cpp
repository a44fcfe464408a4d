// Consumers: what reads results of the loops is computed in them, from the tile that an iteration
// has.
#include "core/transforms/tile_and_fuse/TileFuser.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace fuselage {

void TileFuser::fuseConsumers() {
  std::set<Operation *, Before> candidates;
  for (auto [number, result] : llvm::enumerate(nest_->outermost()->getResults()))
    if (std::optional<NestTile> tile = nest_->tileOf(number)) {
      tiles_[result] = *tile;
      addUsersOf(result, candidates);
    }
  SmallVector<Operation *> fused;
  while (!candidates.empty()) {
    Operation *op = *candidates.begin();
    candidates.erase(candidates.begin());
    if (!fuseConsumer(op))
      continue;
    fused.push_back(op);
    result_.consumers.push_back(op->getName().getStringRef().str());
    for (Value value : op->getResults())
      addUsersOf(value, candidates);
  }
  yieldConsumers(fused);
}

/// Notes who reads `value`, which the loops compute. Questions for a size are answered without it.
void TileFuser::addUsersOf(Value value, std::set<Operation *, Before> &candidates) {
  Block *block = nest_->outermost()->getBlock();
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user)) {
      rewriter_.modifyOpInPlace(user, [&] { use.set(tiles_[value].init); });
      continue;
    }
    Operation *op = block->findAncestorOpInBlock(*user);
    if (!op || op->hasTrait<OpTrait::IsTerminator>() || op->getNumResults() == 0)
      continue;
    if (op != user)
      captured_.insert(op);
    candidates.insert(op);
  }
}

/// Values before the loops that the results of `op` can be assembled in: its own destinations
/// where it has some, else new ones.
FailureOr<SmallVector<Value>> TileFuser::initsOf(Operation *op) {
  SmallVector<Value> inits;
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPoint(nest_->outermost());
  auto emptyOf = [&](RankedTensorType type, ArrayRef<OpFoldResult> sizes) -> Value {
    return tensor::EmptyOp::create(rewriter_, op->getLoc(), sizes, type.getElementType(), type.getEncoding());
  };
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (destination && destination.getNumDpsInits() == op->getNumResults()) {
    for (OpOperand &init : destination.getDpsInitsMutable()) {
      auto tile = tiles_.find(init.get());
      if (tile == tiles_.end()) {
        inits.push_back(init.get());
        continue;
      }
      auto type = cast<RankedTensorType>(init.get().getType());
      inits.push_back(emptyOf(type, tensor::getMixedSizes(rewriter_, op->getLoc(), tile->second.init)));
    }
    return inits;
  }
  // A copy that stands before the loops is asked for its sizes.
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (auto tile = tiles_.find(operand); tile != tiles_.end())
      mapping.map(operand, tile->second.init);
  Operation *copy = rewriter_.clone(*op, mapping);
  ReifiedRankedShapedTypeDims sizes;
  bool isKnown = succeeded(sizesOfResults(rewriter_, copy, sizes)) && copy->use_empty();
  if (copy->use_empty())
    rewriter_.eraseOp(copy);
  if (!isKnown) // or the answer asks the copy itself
    return failure();
  for (auto [type, size] : llvm::zip_equal(op->getResultTypes(), sizes))
    inits.push_back(emptyOf(cast<RankedTensorType>(type), size));
  return inits;
}

/// Lets what reads the whole in `placeholder` read the tile in it, also where that is among
/// `values`. False if something needs more. `copy` is the op that is computed; it vanishes.
bool TileFuser::readPlaceholder(Operation *placeholder, const NestTile &tile, Operation *copy,
                                MutableArrayRef<Value> values) {
  for (OpOperand &use : llvm::make_early_inc_range(placeholder->getResult(0).getUses())) {
    Operation *user = use.getOwner();
    if (user == copy)
      continue;
    if (isa<tensor::DimOp>(user)) {
      rewriter_.modifyOpInPlace(user, [&] { use.set(tile.init); });
      continue;
    }
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !numbers_.isEqual(slice.getMixedOffsets(), tile.offsets) ||
        !numbers_.isEqual(slice.getMixedSizes(), tile.sizes) || !slice.hasUnitStride() ||
        slice.getType().getRank() != cast<RankedTensorType>(tile.tile.getType()).getRank())
      return false;
    rewriter_.setInsertionPoint(slice);
    Value read = castTo(tile.tile, slice.getType());
    std::replace(values.begin(), values.end(), Value(slice.getResult()), read);
    rewriter_.replaceOp(slice, read);
  }
  return true;
}

bool TileFuser::fuseConsumer(Operation *op) {
  auto decline = [&](FusableReason reason, std::string evidence = "") {
    refuse(op, /*isConsumer=*/true, {reason, std::move(evidence)});
    return false;
  };
  auto fusable = dyn_cast<FusableOpInterface>(op);
  if (!fusable || !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return decline(FusableReason::NotFusable);
  if (!isParallel_)
    return decline(FusableReason::PartialResult);
  if (captured_.contains(op))
    return decline(FusableReason::CapturedInBody);
  if (!isMemoryEffectFree(op))
    return decline(FusableReason::TileRefused, "it has side effects");
  if (isDeclined(op, /*isConsumer=*/true))
    return false;

  SmallVector<unsigned> numbers;
  SmallVector<SmallVector<OpFoldResult>> offsets, sizes;
  SetVector<Value> others;
  getUsedValuesDefinedAbove(op->getRegions(), others);
  for (OpOperand &operand : op->getOpOperands()) {
    auto tile = tiles_.find(operand.get());
    if (tile == tiles_.end()) {
      others.insert(operand.get());
      continue;
    }
    numbers.push_back(operand.getOperandNumber());
    // Upstream compares the tiles of several operands by identity.
    auto unify = [&](OpFoldResult index) { return numbers_.unified(index); };
    offsets.push_back(llvm::map_to_vector(tile->second.offsets, unify));
    sizes.push_back(llvm::map_to_vector(tile->second.sizes, unify));
  }
  if (auto refusal = fusable.explainOperandTiles(numbers, offsets, sizes))
    return refuse(op, /*isConsumer=*/true, *refusal), false;
  if (failed(moveValueDefinitions(rewriter_, others.getArrayRef(), nest_->outermost())))
    return decline(FusableReason::OperandBehindLoop);
  FailureOr<SmallVector<Value>> inits = initsOf(op);
  if (failed(inits))
    return decline(FusableReason::TileRefused, "its result's sizes are not known before the loop");

  // A copy in the loop, with tensors that have just this tile for its operands.
  OpBuilder::InsertionGuard guard(rewriter_);
  Operation *mark = nest_->end()->getPrevNode();
  rewriter_.setInsertionPoint(nest_->end());
  IRMapping mapping;
  SmallVector<std::pair<Operation *, const NestTile *>> placeholders;
  for (unsigned number : numbers) {
    Value operand = op->getOperand(number);
    if (mapping.contains(operand))
      continue;
    const NestTile &tile = tiles_[operand];
    SmallVector<OpFoldResult> strides(tile.sizes.size(), rewriter_.getIndexAttr(1));
    auto placeholder =
        tensor::InsertSliceOp::create(rewriter_, op->getLoc(), tile.tile, tile.init, tile.offsets, tile.sizes, strides);
    mapping.map(operand, placeholder.getResult());
    placeholders.push_back({placeholder, &tile});
  }
  Operation *copy = rewriter_.clone(*op, mapping);
  auto giveUp = [&](FusableReason reason) {
    eraseBehind(mark);
    numbers_ = IndexValueNumbering();
    return decline(reason);
  };
  auto computed = cast<FusableOpInterface>(copy);
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  auto findDomain = [&](size_t first, size_t count) {
    domainOffsets.clear();
    domainSizes.clear();
    return computed.getIterationDomainTileFromOperandTiles(
        rewriter_, ArrayRef(numbers).slice(first, count), ArrayRef(offsets).slice(first, count),
        ArrayRef(sizes).slice(first, count), domainOffsets, domainSizes);
  };
  if (failed(findDomain(0, numbers.size()))) {
    bool isEach =
        llvm::all_of(llvm::seq<size_t>(0, numbers.size()), [&](size_t i) { return succeeded(findDomain(i, 1)); });
    return giveUp(isEach ? FusableReason::OperandTilesDiffer : FusableReason::TileRefused);
  }
  SmallVector<NestTile> results(op->getNumResults());
  for (auto [number, result] : llvm::enumerate(results))
    if (failed(computed.getResultTilePosition(rewriter_, number, domainOffsets, domainSizes, result.offsets,
                                              result.sizes)))
      return giveUp(FusableReason::TileRefused);
  FailureOr<TilingResult> tiled = computed.getTiledImplementationFromOperandTiles(rewriter_, numbers, offsets, sizes);
  if (failed(tiled) || tiled->tiledValues.size() != op->getNumResults())
    return giveUp(FusableReason::TileRefused);
  // Slices of destinations, before they could be replaced.
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  for (Operation *generated : tiled->generatedSlices)
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(generated); slice && destination)
      for (auto [number, init] : llvm::enumerate(destination.getDpsInits()))
        if (slice.getSource() == init && (*inits)[number] == init)
          results[number].destinations.push_back(slice);
  for (auto [placeholder, tile] : placeholders)
    if (!readPlaceholder(placeholder, *tile, copy, tiled->tiledValues))
      return giveUp(FusableReason::OperandTilesDiffer);
  rewriter_.setInsertionPoint(nest_->end());
  for (auto [number, result] : llvm::enumerate(results)) {
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    SmallVector<int64_t> shape = decomposeMixedValues(result.sizes).first;
    result.tile =
        castTo(tiled->tiledValues[number], RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
    result.init = (*inits)[number];
    tiles_[op->getResult(number)] = result;
  }
  rewriter_.eraseOp(copy);
  for (auto [placeholder, tile] : placeholders)
    rewriter_.eraseOp(placeholder);
  return true;
}

/// Lets the loops return what is read after them, and nothing else.
void TileFuser::yieldConsumers(ArrayRef<Operation *> fused) {
  llvm::SmallPtrSet<Operation *, 8> gone(fused.begin(), fused.end());
  SmallVector<Value> values;
  SmallVector<NestTile> tiles;
  for (Operation *op : fused)
    for (Value value : op->getResults())
      if (llvm::any_of(value.getUsers(), [&](Operation *user) { return !gone.contains(user); })) {
        values.push_back(value);
        tiles.push_back(tiles_[value]);
      }
  for (auto [value, made] : llvm::zip_equal(values, nest_->addResults(rewriter_, tiles)))
    rewriter_.replaceAllUsesWith(value, made);
  for (Operation *op : llvm::reverse(fused))
    rewriter_.eraseOp(op);
  nest_->dropUnusedResults(rewriter_);
  tiles_.clear();
  numbers_ = IndexValueNumbering(); // the induction variables are others now
}

} // namespace fuselage
