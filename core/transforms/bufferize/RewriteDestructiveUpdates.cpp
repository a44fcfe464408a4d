// fuselage-rewrite-destructive-updates: tiles go to memory one by one.
#include "core/dialects/decoders/Decoders.h"
#include "core/transforms/bufferize/Passes.h"
#include "core/transforms/bufferize/TileMemory.h"
#include "core/transforms/bufferize/UpdateDestination.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/foreign/ModernizeOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_REWRITEDESTRUCTIVEUPDATESPASS
#include "core/transforms/bufferize/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using bufferization::MaterializeInDestinationOp;

namespace fuselage {
namespace {

TileSlice sliceOf(Operation *op) { return TileSlice::of(cast<OffsetSizeAndStrideOpInterface>(op)); }

//===-- What has to be known before the loops ------------------------===//

/// Ops that may be executed earlier.
bool canMoveUp(Operation *op) {
  if (op->isRegistered())
    return isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>();
  OpRole role = decode(op).role;
  return role == OpRole::Binding || role == OpRole::WorkgroupInfo;
}

/// Collects the ops that compute `value` and stand after `point` in its block, operands first. False
/// if one of them cannot move before it.
bool collectBehind(Value value, Operation *point, llvm::SmallSetVector<Operation *, 8> &ops) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != point->getBlock() || def->isBeforeInBlock(point) || ops.contains(def))
    return true;
  if (def == point || !canMoveUp(def))
    return false;
  bool movable = true;
  def->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      movable &= def->isProperAncestor(operand.getParentBlock()->getParentOp()) ||
                 operand.getParentBlock()->getParentOp() == def || collectBehind(operand, point, ops);
  });
  ops.insert(def);
  return movable;
}

//===-- Memory ------------------------------------------------------------===//

/// The first op from the nest to the sink, exclusively, that may touch the destination; null if none.
Operation *findInterleaved(const DestructiveUpdate &update, Operation *sink, const UpdateDestination &destination) {
  Operation *found = nullptr;
  for (Operation *op = update.outermost(); op != sink && !found; op = op->getNextNode())
    op->walk([&](Operation *nested) {
      if (!destination.mayBeTouchedBy(nested))
        return WalkResult::advance();
      found = nested;
      return WalkResult::interrupt();
    });
  return found;
}

/// An op before the nest whose value comes from the destination and is used in the nest or after
/// it, other than as what the update starts with; or, if that was read from there, one that may have
/// written there since. Null if there is none.
Operation *findStale(const DestructiveUpdate &update, const UpdateDestination &destination) {
  Operation *nest = update.outermost();
  Operation *init = behindCasts(update.init).getDefiningOp();
  bool isInPlace = destination.holds(update.init);
  if (isInPlace && init->getBlock() != nest->getBlock())
    return init;
  bool behindInit = false;
  for (Operation &op : *nest->getBlock()) {
    if (&op == nest)
      break;
    Operation *found = nullptr;
    op.walk([&](Operation *nested) {
      if (nested == init || !destination.mayBeTouchedBy(nested))
        return;
      bool usedLater = llvm::any_of(nested->getUsers(), [&](Operation *user) {
        Operation *inBlock = nest->getBlock()->findAncestorOpInBlock(*user);
        return inBlock && !inBlock->isBeforeInBlock(nest);
      });
      bool onlyReads = nested->getNumResults() != 0 && tileMemoryOf(nested);
      if (usedLater || (isInPlace && behindInit && !onlyReads))
        found = nested;
    });
    if (found)
      return found;
    behindInit |= &op == init;
  }
  if (!isInPlace)
    return nullptr;
  // The old contents themselves, through casts.
  for (Value value = update.init;; value = value.getDefiningOp<tensor::CastOp>().getSource()) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      Operation *inBlock = nest->getBlock()->findAncestorOpInBlock(*user);
      if (user != nest && !isa<tensor::CastOp, tensor::DimOp>(user) && inBlock && !inBlock->isBeforeInBlock(nest))
        return user;
    }
    if (!value.getDefiningOp<tensor::CastOp>())
      return nullptr;
  }
}

/// Erases ops that compute nothing that is used, from the last one on.
void eraseDead(IRRewriter &rewriter, Operation *op) {
  if (!op || !op->use_empty())
    return;
  bool isUnusedLoad = !op->isRegistered() && op->getNumResults() != 0 && decode(op).role == OpRole::TileLoad;
  if (!isUnusedLoad && !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  rewriter.eraseOp(op);
  for (Value operand : operands)
    eraseDead(rewriter, operand.getDefiningOp());
}

/// True if something in the function may write to `memory`, other than tiles of `update`'s own.
bool mayBeWritten(FunctionOpInterface function, const TileMemory &memory) {
  return function
      ->walk([&](Operation *op) {
        if (op->isRegistered() || decode(op).role != OpRole::TileStore)
          return WalkResult::advance();
        std::optional<TileMemory> other = tileMemoryOf(op);
        return other && !mayAlias(memory, *other) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===-- The rewriting -----------------------------------------------------===//

class InPlaceRewriter {
public:
  explicit InPlaceRewriter(FunctionOpInterface function) : function(function), rewriter(function->getContext()) {}

  void run() {
    SmallVector<Operation *> sinks;
    function->walk([&](Operation *op) {
      bool isStore = !op->isRegistered() && decode(op).role == OpRole::TileStore;
      if (isStore || isa<MaterializeInDestinationOp>(op))
        sinks.push_back(op);
    });
    for (Operation *sink : sinks) {
      std::optional<UpdateReason> reason;
      std::unique_ptr<UpdateDestination> destination = UpdateDestination::of(sink, reason);
      auto materialize = dyn_cast<MaterializeInDestinationOp>(sink);
      if (destination)
        rewriteSink(sink, *destination);
      else if (materialize && materialize->getNumResults() == 1)
        rewriteTensorSink(materialize);
      else if (reason)
        refuseIfUpdate(sink, *reason);
    }
    rewritePlainNests();
    for (scf::ForOp nest : rewritten)
      propagateLoads(nest);
  }

private:
  void rewriteSink(Operation *sink, const UpdateDestination &destination);
  std::optional<UpdateRefusal> check(const DestructiveUpdate &update, Operation *sink,
                                     const UpdateDestination &destination);
  bool needsMemory(const DestructiveUpdate &update) const;
  void rewriteTensorSink(MaterializeInDestinationOp sink);
  void rewritePlainNests();
  void markTile(const DestructiveUpdate &update);
  void readFromInit(DestructiveUpdate &update);
  void propagateLoads(scf::ForOp nest);

  /// The remark for a store whose dialect we cannot write, if it stores an update at all.
  void refuseIfUpdate(Operation *sink, UpdateReason reason) {
    auto found = findDestructiveUpdate(behindCasts(decode(sink).tile.stored));
    if (auto *update = std::get_if<DestructiveUpdate>(&found); update && !update->loops.empty())
      emitRefusal(sink, {reason});
  }

  FunctionOpInterface function;
  IRRewriter rewriter;
  llvm::SmallSetVector<scf::ForOp, 4> rewritten;
  llvm::SmallSetVector<Operation *, 8> toMoveUp; ///< of the update at hand
};

/// True if iterations must see what earlier ones wrote: what they read is not just the tile that they
/// write, or tiles overlap.
bool InPlaceRewriter::needsMemory(const DestructiveUpdate &update) const {
  if (update.reads.empty())
    return false;
  TileSlice written = sliceOf(tensor::InsertSliceOp(update.insert));
  return !haveDistinctTiles(update) ||
         llvm::any_of(update.reads, [&](tensor::ExtractSliceOp read) { return !(sliceOf(read) == written); });
}

/// What stands against the update, if anything does; collects what has to move before it.
std::optional<UpdateRefusal> InPlaceRewriter::check(const DestructiveUpdate &update, Operation *sink,
                                                    const UpdateDestination &destination) {
  using enum UpdateReason;
  Operation *nest = update.outermost();
  if (nest->getBlock() != sink->getBlock())
    return UpdateRefusal{OtherBlock, nest};
  // The value reaches the sink through casts at most; other users get what memory holds then.
  if (!destination.isReadable())
    for (Value value = destination.stored();; value = value.getDefiningOp<tensor::CastOp>().getSource()) {
      if (!value.hasOneUse())
        return UpdateRefusal{ValueUsedElsewhere, nest};
      if (!value.getDefiningOp<tensor::CastOp>())
        break;
    }
  toMoveUp.clear();
  for (Value value : destination.values())
    if (!collectBehind(value, nest, toMoveUp))
      return UpdateRefusal{DestinationBehindLoop, value.getDefiningOp()};
  if (Operation *other = findInterleaved(update, sink, destination))
    return UpdateRefusal{InterleavedAlias, other};
  if (Operation *other = findStale(update, destination))
    return UpdateRefusal{InterleavedAlias, other};
  if (needsMemory(update) && !destination.isReadable())
    return UpdateRefusal{OverlappingTiles, tensor::InsertSliceOp(update.insert)};
  return std::nullopt;
}

/// Reads the tiles from what the loops start with: there they still are what iterations see.
void InPlaceRewriter::readFromInit(DestructiveUpdate &update) {
  bool isUndefined = update.init.getDefiningOp<tensor::EmptyOp>() != nullptr;
  for (tensor::ExtractSliceOp read : update.reads) {
    if (isUndefined && read.getType().getRank() == read.getSourceType().getRank()) {
      rewriter.setInsertionPoint(read);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(read, read.getMixedSizes(), read.getType().getElementType());
      continue;
    }
    rewriter.modifyOpInPlace(read, [&] { read.getSourceMutable().assign(update.init); });
  }
  update.reads.clear();
}

void InPlaceRewriter::rewriteSink(Operation *sink, const UpdateDestination &destination) {
  auto found = findDestructiveUpdate(behindCasts(destination.stored()));
  if (auto *refusal = std::get_if<UpdateRefusal>(&found))
    return emitRefusal(sink, *refusal);
  auto *update = std::get_if<DestructiveUpdate>(&found);
  bool isInPlace = update && destination.holds(update->init);
  if (!update || (update->loops.empty() && !isInPlace))
    return;
  if (std::optional<UpdateRefusal> refusal = check(*update, sink, destination))
    return emitRefusal(sink, *refusal);
  Operation *nest = update->outermost();
  Location loc = sink->getLoc();
  for (Operation *op : toMoveUp)
    rewriter.moveOpBefore(op, nest);
  bool fromMemory = isInPlace || needsMemory(*update);
  bool isUndefined = update->init.getDefiningOp<tensor::EmptyOp>() != nullptr;
  if (!isInPlace && !isUndefined && (fromMemory || !coverWhole(*update))) {
    rewriter.setInsertionPoint(nest);
    destination.store(rewriter, loc, update->init, wholeSlice(rewriter, loc, update->init));
  }
  if (!fromMemory)
    readFromInit(*update);
  for (tensor::ExtractSliceOp read : fromMemory ? update->reads : SmallVector<tensor::ExtractSliceOp>()) {
    rewriter.setInsertionPoint(read);
    rewriter.replaceOp(read, destination.load(rewriter, read.getLoc(), read.getType(), sliceOf(read)));
  }
  tensor::InsertSliceOp insert = update->insert;
  rewriter.setInsertionPoint(insert);
  destination.store(rewriter, insert.getLoc(), insert.getSource(), sliceOf(insert));

  Value result = update->result();
  Operation *stored = destination.stored().getDefiningOp();
  rewriter.eraseOp(sink);
  while (isa_and_nonnull<tensor::CastOp>(stored) && stored->use_empty()) {
    Operation *source = stored->getOperand(0).getDefiningOp();
    rewriter.eraseOp(stored);
    stored = source;
  }
  Value init = update->init;
  if (!result.use_empty()) {
    rewriter.setInsertionPointAfter(nest);
    Value loaded =
        destination.load(rewriter, loc, cast<RankedTensorType>(result.getType()), wholeSlice(rewriter, loc, init));
    rewriter.replaceAllUsesWith(result, loaded);
  }
  Value current = update->current();
  rewriter.replaceOp(insert, current);
  if (!update->loops.empty()) {
    dropCarriedTensor(rewriter, *update);
    rewritten.insert(update->loops.front().loop);
  }
  eraseDead(rewriter, init.getDefiningOp());
}

//===-- Tensors -----------------------------------------------------------===//

/// Says of a tile that it must be computed where it goes to: into the slice that was read before, if
/// it is the same, so that bufferization sees one place and not two.
void InPlaceRewriter::markTile(const DestructiveUpdate &update) {
  tensor::InsertSliceOp insert = update.insert;
  Value place;
  for (tensor::ExtractSliceOp read : update.reads)
    if (read.getSource() == insert.getDest() && read.getType() == insert.getSourceType() &&
        read->getBlock() == insert->getBlock() && sliceOf(read) == sliceOf(insert))
      place = read;
  rewriter.setInsertionPoint(insert);
  if (!place)
    place = tensor::ExtractSliceOp::create(rewriter, insert.getLoc(), insert.getSourceType(), insert.getDest(),
                                           insert.getMixedOffsets(), insert.getMixedSizes(), insert.getMixedStrides());
  Value tile = MaterializeInDestinationOp::create(rewriter, insert.getLoc(), insert.getSource(), place)->getResult(0);
  rewriter.modifyOpInPlace(insert, [&] { insert.getSourceMutable().assign(tile); });
}

bool isMarked(const DestructiveUpdate &update) {
  return tensor::InsertSliceOp(update.insert).getSource().getDefiningOp<MaterializeInDestinationOp>() != nullptr;
}

/// The loops start with the destination, and the op that moved the whole result there goes away.
void InPlaceRewriter::rewriteTensorSink(MaterializeInDestinationOp sink) {
  auto found = findDestructiveUpdate(sink.getSource());
  if (auto *refusal = std::get_if<UpdateRefusal>(&found))
    return emitRefusal(sink, *refusal);
  auto *update = std::get_if<DestructiveUpdate>(&found);
  if (!update || update->loops.empty() || isMarked(*update))
    return;
  Operation *nest = update->outermost();
  if (nest->getBlock() != sink->getBlock())
    return emitRefusal(sink, {UpdateReason::OtherBlock, nest});
  if (sink.getResult().getType() != update->result().getType())
    return emitRefusal(sink, {UpdateReason::DestinationBehindLoop, sink});
  toMoveUp.clear();
  if (!collectBehind(sink.getDest(), nest, toMoveUp))
    return emitRefusal(sink, {UpdateReason::DestinationBehindLoop, sink.getDest().getDefiningOp()});
  for (Operation *op : toMoveUp)
    rewriter.moveOpBefore(op, nest);
  Value start = sink.getDest();
  bool isUndefined = update->init.getDefiningOp<tensor::EmptyOp>() != nullptr;
  if (needsMemory(*update) || (!isUndefined && !coverWhole(*update))) {
    rewriter.setInsertionPoint(nest);
    start = MaterializeInDestinationOp::create(rewriter, sink.getLoc(), update->init, start)->getResult(0);
  } else {
    readFromInit(*update);
  }
  CarryingLoop outermost = update->loops.front();
  rewriter.modifyOpInPlace(outermost.loop,
                           [&] { outermost.loop.getInitArgsMutable()[outermost.position].assign(start); });
  markTile(*update);
  rewriter.replaceOp(sink, update->result());
}

/// Nests whose result goes nowhere in particular update what they start with.
void InPlaceRewriter::rewritePlainNests() {
  SmallVector<OpResult> results;
  function->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    for (auto [init, given] : llvm::zip_equal(loop.getInitArgs(), loop.getResults())) {
      OpResult result = given; // clang 14 captures no structured binding
      auto argument = dyn_cast<BlockArgument>(init);
      bool isInner = argument && isa<scf::ForOp>(argument.getOwner()->getParentOp());
      bool hasSink = llvm::any_of(result.getUsers(), [](Operation *user) {
        return isa<MaterializeInDestinationOp>(user) ||
               (!user->isRegistered() && decode(user).role == OpRole::TileStore);
      });
      bool hasInsert =
          loop.getBody()
              ->walk([&](tensor::InsertSliceOp insert) {
                return insert.getType() == result.getType() ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
      if (!isInner && !hasSink && hasInsert && !result.use_empty())
        results.push_back(result);
    }
  });
  for (OpResult result : results) {
    auto found = findDestructiveUpdate(result);
    if (auto *refusal = std::get_if<UpdateRefusal>(&found))
      emitRefusal(result.getOwner(), *refusal);
    else if (auto *update = std::get_if<DestructiveUpdate>(&found); update && !isMarked(*update))
      markTile(*update);
  }
}

//===-- Loads -------------------------------------------------------------===//

/// Slices that the nest takes of whole loads become loads of just these tiles.
void InPlaceRewriter::propagateLoads(scf::ForOp nest) {
  SmallVector<tensor::ExtractSliceOp> slices;
  nest.walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  for (tensor::ExtractSliceOp slice : slices) {
    Operation *load = behindCasts(slice.getSource()).getDefiningOp();
    std::optional<TileMemory> memory = load ? tileMemoryOf(load) : std::nullopt;
    std::optional<TileSlice> place = memory ? tileSliceOf(load) : std::nullopt;
    auto whole = cast<RankedTensorType>(slice.getSource().getType());
    if (!place || static_cast<size_t>(whole.getRank()) != place->sizes.size() || mayBeWritten(function, *memory))
      continue;
    rewriter.setInsertionPoint(slice);
    std::optional<TileSlice> composed = composeSlices(rewriter, slice.getLoc(), *place, sliceOf(slice));
    if (!composed)
      continue;
    Operation *source = slice.getSource().getDefiningOp();
    rewriter.replaceOp(slice, createTileLoad(rewriter, slice.getLoc(), *memory, slice.getType(), *composed));
    eraseDead(rewriter, source);
  }
}

struct RewriteDestructiveUpdatesPass : impl::RewriteDestructiveUpdatesPassBase<RewriteDestructiveUpdatesPass> {
  void runOnOperation() override {
    forEachFunction(getOperation(), [](FunctionOpInterface function) {
      modernizeOps(function);
      InPlaceRewriter(function).run();
    });
  }
};

} // namespace
} // namespace fuselage
