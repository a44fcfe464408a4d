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

/// The ops in the block of `first`, from it on, whose results the op reads.
template <typename Function> static void forEachLateProducer(Operation *op, Operation *first, Function &&call) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == first->getBlock() && !producer->isBeforeInBlock(first))
        call(producer);
  });
}

/// What the op needs that stands after the first one, producers first, without what is known and what only that needs.
static SmallVector<Operation *> findLateProducers(Operation *op, Operation *first,
                                                  const llvm::DenseMap<Operation *, bool> &known) {
  SmallVector<Operation *> late;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> pending{op};
  while (!pending.empty())
    forEachLateProducer(pending.pop_back_val(), first, [&](Operation *producer) {
      if (known.contains(producer) || !seen.insert(producer).second)
        return;
      late.push_back(producer);
      pending.push_back(producer);
    });
  llvm::sort(late, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return late;
}

/// Whether the op needs the result of one of the others, or of an op with effects: it cannot move before the first one.
bool Siblings::mustStayBehind(linalg::LinalgOp op) {
  auto needsFixed = [&](Operation *reader) {
    bool needs = false;
    forEachLateProducer(reader, ops_.front(), [&](Operation *producer) { needs |= fixed_.lookup(producer); });
    return needs;
  };
  for (Operation *producer : findLateProducers(op, ops_.front(), fixed_))
    fixed_[producer] = llvm::is_contained(ops_, producer) || !isMemoryEffectFree(producer) || needsFixed(producer);
  return needsFixed(op);
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

/// Why the op cannot join the others; empty if it can.
std::string Siblings::whyNot(linalg::LinalgOp op, OpOperand &shared) {
  linalg::LinalgOp first = ops_.front();
  AffineMap map = first.getMatchingIndexingMap(&shared);
  if (llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        return areTied(shared.get(), input->get()) && op.getMatchingIndexingMap(input) == map;
      }))
    return "it reads the common operand in another way";
  if (!haveSameLoops(first, op, map))
    return "its loops have other ranges";
  SmallVector<linalg::LinalgOp> all(ops_);
  all.push_back(op);
  unsigned operands = countOperands(all);
  if (operands > maxOperands_)
    return "the merged op would have " + std::to_string(operands) + " operands, " + std::to_string(maxOperands_) +
           " are allowed";
  if (mustStayBehind(op))
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

std::string Siblings::join(RewriterBase &rewriter, linalg::LinalgOp op, OpOperand &shared) {
  auto walkLoops = [&](ArrayRef<unsigned> order) {
    if (!order.empty()) // in place
      (void)linalg::interchangeGenericOp(rewriter, cast<linalg::GenericOp>(op.getOperation()), order);
  };
  SmallVector<unsigned> order = findLoopOrder(op, shared);
  walkLoops(order);
  std::string reason = whyNot(op, shared);
  if (reason.empty()) {
    ops_.push_back(op);
    fixed_.clear(); // what needs this one must stay behind, too
    return reason;
  }
  SmallVector<unsigned> back(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    back[from] = to;
  walkLoops(back);
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

linalg::GenericOp Siblings::merge(RewriterBase &rewriter) {
  const SmallVector<linalg::LinalgOp> ops = std::exchange(ops_, {});
  linalg::LinalgOp first = ops.front();
  for (linalg::LinalgOp op : ArrayRef(ops).drop_front())
    for (Operation *producer : findLateProducers(op, first, /*known=*/llvm::DenseMap<Operation *, bool>()))
      rewriter.moveOpBefore(producer, first);
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
