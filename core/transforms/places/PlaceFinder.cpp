#include "core/transforms/places/PlaceFinder.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

bool isRepeated(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>() || isCheapProducer(op); }

SmallVector<Value> readBy(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

namespace {

class PlaceFinder {
public:
  explicit PlaceFinder(Block *block) : block_(block) {}
  void add(Operation *op) { ops_.insert(op); }
  /// Adds the ops that those found read, and that read them, but for those that bring many others along: what all
  /// layers read is not near any of them.
  void grow();
  /// Adds what is computed from some of the ops and for others. Failure: that, or what reads one of them before the
  /// last of them, has side effects.
  llvm::Error close();
  SmallVector<Operation *> take();

private:
  llvm::SetVector<Operation *> neighbours() const;
  bool isIn(Operation *op) const { return ops_.contains(op); }
  bool canJoin(Operation *op) const {
    return op && op->getBlock() == block_ && !isIn(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
           isMemoryEffectFree(op);
  }

  Block *block_;
  llvm::SetVector<Operation *> ops_;
};

} // namespace

llvm::SetVector<Operation *> PlaceFinder::neighbours() const {
  llvm::SetVector<Operation *> found;
  for (Operation *op : ops_) {
    for (Value value : readBy(op))
      if (Operation *producer = value.getDefiningOp(); canJoin(producer) && !isRepeated(producer))
        found.insert(producer);
    for (Operation *user : op->getUsers())
      if (Operation *reader = block_->findAncestorOpInBlock(*user); canJoin(reader))
        found.insert(reader);
  }
  return found;
}

void PlaceFinder::grow() {
  constexpr size_t mostBetween = 64;
  for (Operation *neighbour : neighbours()) {
    PlaceFinder with = *this;
    with.add(neighbour);
    if (llvm::Error error = with.close())
      llvm::consumeError(std::move(error));
    else if (with.ops_.size() <= ops_.size() + mostBetween)
      ops_ = std::move(with.ops_);
  }
}

llvm::Error PlaceFinder::close() {
  auto isBefore = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  auto [first, last] = std::minmax_element(ops_.begin(), ops_.end(), isBefore);
  Operation *begin = *first, *end = *last;
  llvm::DenseSet<Operation *> after, before; // computed from ops of the place; needed for some
  for (Operation *op = begin;; op = op->getNextNode()) {
    if (isIn(op) || llvm::any_of(readBy(op), [&](Value value) { return after.contains(value.getDefiningOp()); }))
      after.insert(op);
    if (op == end)
      break;
  }
  for (Operation *op = end;; op = op->getPrevNode()) {
    if (isIn(op) || before.contains(op))
      for (Value value : readBy(op))
        if (Operation *producer = value.getDefiningOp())
          before.insert(producer);
    if (op == begin)
      break;
  }
  for (Operation *op = begin; op != end; op = op->getNextNode()) {
    if (isIn(op) || !after.contains(op))
      continue;
    if (!isMemoryEffectFree(op))
      return fail("the ops of this edge cannot be separated from the rest: " + op->getName().getStringRef().str() +
                  ", between them, has side effects; fuse the edge in its function");
    if (before.contains(op))
      ops_.insert(op);
  }
  return llvm::Error::success();
}

SmallVector<Operation *> PlaceFinder::take() {
  SmallVector<Operation *> ops = ops_.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// The innermost block that holds both ops; null: none does.
static Block *commonBlock(Operation *one, Operation *other) {
  for (Operation *op = one; op; op = op->getParentOp())
    if (Block *block = op->getBlock(); block && block->findAncestorOpInBlock(*other))
      return block;
  return nullptr;
}

llvm::Expected<SmallVector<Operation *>> findPlace(Operation *from, Operation *to, unsigned reach) {
  Block *block = commonBlock(from, to);
  if (!block)
    return fail("the two ops are in no common block; fuse the edge in its function");
  Operation *producer = block->findAncestorOpInBlock(*from), *consumer = block->findAncestorOpInBlock(*to);
  if (producer == consumer)
    return fail("one of the two ops is in the other, or they are the same; fuse the edge in its function");
  for (Operation *op : {producer, consumer})
    if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
      return fail("the ops of this edge cannot be separated from the rest: " + op->getName().getStringRef().str() +
                  (op->hasTrait<OpTrait::IsTerminator>() ? " ends its block" : " has side effects") +
                  "; fuse the edge in its function");
  PlaceFinder finder(block);
  finder.add(producer);
  finder.add(consumer);
  if (llvm::Error error = finder.close())
    return error;
  for (unsigned i = 0; i < reach; ++i)
    finder.grow();
  return finder.take();
}

} // namespace fuselage
