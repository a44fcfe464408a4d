#include "core/transforms/unlock/SiblingFusion.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

Value originOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether both values are the same, or made from the same one by equal reshapes.
static bool isSameValue(Value a, Value b) {
  while (a != b) {
    Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
    if (!opA || !opB || opA->getName() != opB->getName() || !isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(opA) ||
        opA->getAttrDictionary() != opB->getAttrDictionary() || a.getType() != b.getType())
      return false;
    a = opA->getOperand(0);
    b = opB->getOperand(0);
  }
  return true;
}

/// How many tensors an op with the payloads of all of them would read and write.
static unsigned countOperands(ArrayRef<linalg::LinalgOp> ops) {
  llvm::SmallSetVector<std::pair<Value, AffineMap>, 8> inputs;
  unsigned inits = 0;
  for (linalg::LinalgOp op : ops) {
    for (OpOperand *input : op.getDpsInputOperands())
      inputs.insert({input->get(), op.getMatchingIndexingMap(input)});
    inits += op.getNumDpsInits();
  }
  return inputs.size() + inits;
}

/// What the op needs that stands after `first`, producers first. Empty optional: it needs the
/// result of one of `ops`, or of an op with effects.
static std::optional<SmallVector<Operation *>> findLateProducers(linalg::LinalgOp op, Operation *first,
                                                                 ArrayRef<linalg::LinalgOp> ops) {
  SmallVector<Operation *> late;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> pending{op};
  while (!pending.empty()) {
    Operation *current = pending.pop_back_val();
    bool failed = false;
    current->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (!producer || producer->getBlock() != first->getBlock() || producer->isBeforeInBlock(first) ||
            !seen.insert(producer).second)
          continue;
        failed |= llvm::any_of(ops, [&](linalg::LinalgOp other) { return other == producer; }) ||
                  !isMemoryEffectFree(producer);
        late.push_back(producer);
        pending.push_back(producer);
      }
    });
    if (failed)
      return std::nullopt;
  }
  llvm::sort(late, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return late;
}

/// Whether two ops have loops of the same kinds and ranges. Dynamic ones must be those of an operand
/// that both read through `shared`.
static bool haveSameLoops(linalg::LinalgOp a, linalg::LinalgOp b, AffineMap shared) {
  if (a.getIteratorTypesArray() != b.getIteratorTypesArray())
    return false;
  for (auto [loop, ranges] : llvm::enumerate(llvm::zip_equal(staticLoopRanges(a), staticLoopRanges(b)))) {
    auto [rangeA, rangeB] = ranges;
    bool isTied = shared && shared.getResultPosition(getAffineDimExpr(loop, a.getContext()));
    if (rangeA != rangeB || (ShapedType::isDynamic(rangeA) && !isTied))
      return false;
  }
  return true;
}

/// Whether both values have the same dimensions in the same places: they are the same, or results
/// of one op that are written alike.
static bool areTied(Value a, Value b) {
  if (isSameValue(a, b))
    return true;
  auto op = a.getDefiningOp<linalg::LinalgOp>();
  return op && b.getDefiningOp() == op.getOperation() &&
         op.getIndexingMapMatchingResult(cast<OpResult>(a)) == op.getIndexingMapMatchingResult(cast<OpResult>(b));
}

std::string whyNotSiblings(ArrayRef<linalg::LinalgOp> ops, OpOperand &shared, unsigned maxOperands) {
  auto first = cast<linalg::LinalgOp>(shared.getOwner());
  AffineMap map = first.getMatchingIndexingMap(&shared);
  linalg::LinalgOp op = ops.back();
  if (llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        return areTied(shared.get(), input->get()) && op.getMatchingIndexingMap(input) == map;
      }))
    return "it reads the common operand in another way";
  if (!haveSameLoops(first, op, map))
    return "its loops have other ranges";
  unsigned operands = countOperands(ops);
  if (operands > maxOperands)
    return "the merged op would have " + std::to_string(operands) + " operands, " + std::to_string(maxOperands) +
           " are allowed";
  if (!findLateProducers(op, first, ops))
    return "it needs the other's result, or one that must not be computed earlier";
  return {};
}

/// The order of loops in which an elementwise op reads what is shared as the first op does; empty: it does, or cannot.
static SmallVector<unsigned> findLoopOrder(linalg::LinalgOp op, OpOperand &shared) {
  AffineMap wanted = cast<linalg::LinalgOp>(shared.getOwner()).getMatchingIndexingMap(&shared);
  AffineMap read;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!read && areTied(shared.get(), input->get()))
      read = op.getMatchingIndexingMap(input);
  SmallVector<unsigned> order;
  if (read && read != wanted && read.isPermutation() && wanted.isPermutation() && isElementwiseOp(op) &&
      isa<linalg::GenericOp>(op.getOperation()))
    for (AffineExpr loop : inversePermutation(wanted).compose(read).getResults())
      order.push_back(cast<AffineDimExpr>(loop).getPosition());
  return order;
}

std::string joinSiblings(RewriterBase &rewriter, SmallVectorImpl<linalg::LinalgOp> &ops, linalg::LinalgOp op,
                         OpOperand &shared, unsigned maxOperands) {
  auto walkLoops = [&](ArrayRef<unsigned> order) {
    if (!order.empty()) // in place
      (void)linalg::interchangeGenericOp(rewriter, cast<linalg::GenericOp>(op.getOperation()), order);
  };
  SmallVector<unsigned> order = findLoopOrder(op, shared);
  walkLoops(order);
  ops.push_back(op);
  std::string reason = whyNotSiblings(ops, shared, maxOperands);
  if (!reason.empty()) {
    ops.pop_back();
    SmallVector<unsigned> back(order.size());
    for (auto [to, from] : llvm::enumerate(order))
      back[from] = to;
    walkLoops(back);
  }
  return reason;
}

/// Appends the payload of `op` to `body` and returns what it yields.
static SmallVector<Value> inlinePayload(OpBuilder &builder, linalg::LinalgOp op, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(op.getBlock()->getArguments(), arguments);
  for (Operation &payload : op.getBlock()->without_terminator())
    builder.clone(payload, mapping);
  return llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

FailureOr<linalg::GenericOp> mergeSiblings(RewriterBase &rewriter, ArrayRef<linalg::LinalgOp> ops) {
  linalg::LinalgOp first = ops.front();
  for (linalg::LinalgOp op : ops.drop_front()) {
    std::optional<SmallVector<Operation *>> late = findLateProducers(op, first, ops);
    if (!late)
      return failure();
    for (Operation *producer : *late)
      rewriter.moveOpBefore(producer, first);
  }
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps, initMaps;
  SmallVector<SmallVector<unsigned>> argumentsOf(ops.size()); // by op: positions among the inputs
  SmallVector<Location> locations;
  for (unsigned index = 0; index < ops.size(); ++index) {
    linalg::LinalgOp op = ops[index];
    locations.push_back(op.getLoc());
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      unsigned position = 0;
      while (position < inputs.size() && !(isSameValue(inputs[position], input->get()) && maps[position] == map))
        ++position;
      if (position == inputs.size()) {
        inputs.push_back(input->get());
        maps.push_back(map);
      }
      argumentsOf[index].push_back(position);
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      initMaps.push_back(op.getMatchingIndexingMap(&init));
    }
  }
  llvm::append_range(maps, initMaps);
  rewriter.setInsertionPoint(first);
  auto merged = linalg::GenericOp::create(rewriter, rewriter.getFusedLoc(locations), ValueRange(inits).getTypes(),
                                          inputs, inits, maps, first.getIteratorTypesArray(),
                                          [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                                            SmallVector<Value> yielded;
                                            unsigned init = inputs.size();
                                            for (unsigned index = 0; index < ops.size(); ++index) {
                                              linalg::LinalgOp op = ops[index];
                                              SmallVector<Value> own;
                                              for (unsigned position : argumentsOf[index])
                                                own.push_back(arguments[position]);
                                              for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
                                                own.push_back(arguments[init++]);
                                              llvm::append_range(yielded, inlinePayload(builder, op, own));
                                            }
                                            linalg::YieldOp::create(builder, loc, yielded);
                                          });
  unsigned result = 0;
  for (linalg::LinalgOp op : ops) {
    SmallVector<Value> own;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      own.push_back(merged->getResult(result++));
    rewriter.replaceOp(op, own);
  }
  return merged;
}

} // namespace fuselage
