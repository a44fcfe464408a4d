#include "core/transforms/bufferize/DestructiveUpdate.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace fuselage {

TileSlice TileSlice::of(OffsetSizeAndStrideOpInterface op) {
  return {op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides()};
}

bool TileSlice::operator==(const TileSlice &other) const {
  auto equal = [](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
             return isEqualConstantIntOrValue(std::get<0>(pair), std::get<1>(pair));
           });
  };
  return equal(offsets, other.offsets) && equal(sizes, other.sizes) && equal(strides, other.strides);
}

/// Control flow inside of `loop` that is not scf.for; null if there is none.
static Operation *otherControlFlow(scf::ForOp loop) {
  Operation *found = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<scf::ForOp>(op) || !isa<BranchOpInterface, RegionBranchOpInterface>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// The only inner loop that takes `argument` over; null if something else uses it, too.
static std::optional<CarryingLoop> innerLoop(BlockArgument argument) {
  if (!argument.hasOneUse())
    return std::nullopt;
  OpOperand &use = *argument.use_begin();
  auto inner = dyn_cast<scf::ForOp>(use.getOwner());
  if (!inner || inner->getBlock() != argument.getOwner() || use.getOperandNumber() < inner.getNumControlOperands())
    return std::nullopt;
  return CarryingLoop{inner, use.getOperandNumber() - inner.getNumControlOperands()};
}

/// Checks the uses of the innermost iter_arg: slices that are read, then one tile that is inserted.
static std::optional<UpdateRefusal> checkTileUses(CarryingLoop carrying, DestructiveUpdate &update) {
  using enum UpdateReason;
  Block *body = carrying.loop.getBody();
  Value yielded = carrying.loop.getYieldedValues()[carrying.position];
  for (OpOperand &use : carrying.argument().getUses()) {
    Operation *user = use.getOwner();
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    if (insert && insert.getDest() == carrying.argument() && insert.getSource() != carrying.argument()) {
      if (update.insert)
        return UpdateRefusal{SeveralUpdates, insert};
      update.insert = insert;
    } else if (auto read = dyn_cast<tensor::ExtractSliceOp>(user)) {
      update.reads.push_back(read);
    } else if (user == body->getTerminator()) {
      return UpdateRefusal{PingPong, carrying.loop};
    } else if (!isa<tensor::DimOp>(user)) {
      return UpdateRefusal{OtherUse, user};
    }
  }
  if (!update.insert)
    return UpdateRefusal{NoUpdate, carrying.loop};
  if (update.insert->getBlock() != body)
    return UpdateRefusal{OtherUse, update.insert};
  if (!update.insert.getResult().hasOneUse()) {
    for (Operation *user : update.insert.getResult().getUsers())
      if (isa<tensor::InsertSliceOp>(user))
        return UpdateRefusal{SeveralUpdates, user};
    return UpdateRefusal{update.insert.getResult().use_empty() ? PingPong : OtherUse, update.insert};
  }
  if (yielded != update.insert.getResult()) {
    Operation *user = *update.insert.getResult().user_begin();
    return UpdateRefusal{isa<tensor::InsertSliceOp>(user) ? SeveralUpdates
                         : user == body->getTerminator()  ? PingPong
                                                          : OtherUse,
                         user};
  }
  for (tensor::ExtractSliceOp read : update.reads) {
    Operation *ancestor = body->findAncestorOpInBlock(*read);
    if (!ancestor || !ancestor->isBeforeInBlock(update.insert))
      return UpdateRefusal{ReadBehindUpdate, read};
  }
  return std::nullopt;
}

std::variant<std::monostate, DestructiveUpdate, UpdateRefusal> findDestructiveUpdate(Value value) {
  using enum UpdateReason;
  DestructiveUpdate update;
  if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    update.insert = insert;
    update.init = insert.getDest();
    return update;
  }
  auto outermost = value.getDefiningOp<scf::ForOp>();
  if (!outermost)
    return std::monostate();
  if (Operation *other = otherControlFlow(outermost))
    return UpdateRefusal{OtherControlFlow, other};
  CarryingLoop carrying{outermost, cast<OpResult>(value).getResultNumber()};
  update.init = outermost.getInitArgs()[carrying.position];
  while (true) {
    update.loops.push_back(carrying);
    if (carrying.argument().use_empty())
      return UpdateRefusal{NoUpdate, carrying.loop};
    std::optional<CarryingLoop> inner = innerLoop(carrying.argument());
    if (!inner)
      break;
    Value yielded = carrying.loop.getYieldedValues()[carrying.position];
    if (yielded != inner->result())
      return UpdateRefusal{PingPong, carrying.loop};
    if (!inner->result().hasOneUse())
      return UpdateRefusal{OtherUse, inner->loop};
    carrying = *inner;
  }
  if (std::optional<UpdateRefusal> refusal = checkTileUses(carrying, update))
    return *refusal;
  return update;
}

void dropCarriedTensor(RewriterBase &rewriter, DestructiveUpdate &update) {
  for (CarryingLoop &carrying : llvm::reverse(update.loops)) {
    scf::ForOp loop = carrying.loop;
    unsigned dropped = carrying.position;
    SmallVector<Value> inits(loop.getInitArgs()), replacements;
    Value init = inits[dropped];
    inits.erase(inits.begin() + dropped);
    rewriter.setInsertionPoint(loop);
    auto narrow =
        scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
    narrow->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    SmallVector<Value> arguments{narrow.getInductionVar()};
    llvm::append_range(arguments, narrow.getRegionIterArgs());
    arguments.insert(arguments.begin() + 1 + dropped, init);
    if (!narrow.getBody()->empty())
      rewriter.eraseOp(narrow.getBody()->getTerminator());
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperand(dropped); });
    rewriter.mergeBlocks(loop.getBody(), narrow.getBody(), arguments);
    llvm::append_range(replacements, narrow.getResults());
    replacements.insert(replacements.begin() + dropped, init);
    rewriter.replaceOp(loop, replacements);
    carrying.loop = narrow;
  }
}

} // namespace fuselage
