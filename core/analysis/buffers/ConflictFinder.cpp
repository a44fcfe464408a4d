#include "core/analysis/buffers/ConflictFinder.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace fuselage {
namespace {

/// Whether `a`, or what it is in, has run before `b` starts.
bool happensBefore(Operation *a, Operation *b, const DominanceInfo &dominance) {
  for (; a && !a->isProperAncestor(b); a = a->getParentOp())
    if (dominance.properlyDominates(a, b))
      return true;
  return false;
}

/// Whether a use reads the buffer, itself or through a view of it.
bool isRead(OpOperand &use, const OneShotAnalysisState &state) {
  if (state.bufferizesToMemoryRead(use))
    return true;
  if (state.bufferizesToMemoryWrite(use))
    return false;
  return llvm::any_of(state.getAliasingValues(use), [&](AliasingValue alias) { return state.isValueRead(alias.value); });
}

/// Whether everything that `operand` may hold is the very subset that `insertion` writes.
bool isInsertedSubset(const OneShotAnalysisState &state, OpOperand *operand, SubsetInsertionOpInterface insertion) {
  auto isSubset = [&](Value value) {
    return isa<OpResult>(value) && insertion.isEquivalentSubset(value, [&](Value a, Value b) {
      return state.areEquivalentBufferizedValues(a, b);
    });
  };
  return llvm::all_of(state.findValueInReverseUseDefChain(operand, isSubset), isSubset);
}

/// Whether `operand` holds `other` itself, maybe cast.
bool comesFrom(const OneShotAnalysisState &state, OpOperand *operand, Value other) {
  TraversalConfig config;
  config.followEquivalentOnly = true;
  config.alwaysIncludeLeaves = false;
  config.followSameTypeOrCastsOnly = true;
  return !state.findValueInReverseUseDefChain(operand, [&](Value value) { return value == other; }, config).empty();
}

} // namespace

ConflictFinder::ConflictFinder(Operation *root, OneShotAnalysisState &state) : state_(state) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { places_[op] = places_.size(); });
}

int64_t ConflictFinder::placeOf(Value value) const {
  Operation *owner = value.getDefiningOp();
  return places_.lookup(owner ? owner : cast<BlockArgument>(value).getOwner()->getParentOp());
}

ConflictFinder::Uses ConflictFinder::inOrder(const SmallPtrSetImpl<OpOperand *> &uses) const {
  Uses sorted(uses.begin(), uses.end());
  llvm::sort(sorted, [&](OpOperand *a, OpOperand *b) {
    return std::make_pair(places_.lookup(a->getOwner()), a->getOperandNumber()) <
           std::make_pair(places_.lookup(b->getOwner()), b->getOperandNumber());
  });
  return sorted;
}

/// Visits what shares the buffer, if the operand is bufferized in place.
void ConflictFinder::forEachAlias(OpOperand &operand, llvm::function_ref<void(Value)> visit) const {
  state_.applyOnAliases(operand.get(), visit);
  for (AliasingValue result : state_.getAliasingValues(operand))
    state_.applyOnAliases(result.value, visit);
}

ConflictFinder::Uses ConflictFinder::readsOf(OpOperand &operand) const {
  llvm::SmallPtrSet<OpOperand *, 16> reads;
  forEachAlias(operand, [&](Value alias) {
    for (OpOperand &use : alias.getUses())
      if (!reads.contains(&use) && isRead(use, state_))
        reads.insert(&use);
  });
  return inOrder(reads);
}

ConflictFinder::Uses ConflictFinder::writesOf(OpOperand &operand) const {
  llvm::SmallPtrSet<OpOperand *, 16> writes;
  forEachAlias(operand, [&](Value alias) {
    for (OpOperand &use : alias.getUses())
      if (state_.isInPlace(use) && state_.bufferizesToMemoryWrite(use))
        writes.insert(&use);
  });
  if (state_.bufferizesToMemoryWrite(operand))
    writes.insert(&operand);
  return inOrder(writes);
}

std::optional<BufferConflict> ConflictFinder::findReadOnly(OpOperand &operand, const Uses &writes) const {
  if (writes.empty())
    return std::nullopt;
  Value readOnly;
  forEachAlias(operand, [&](Value alias) {
    if (!state_.isWritable(alias) && (!readOnly || placeOf(alias) < placeOf(readOnly)))
      readOnly = alias;
  });
  if (!readOnly)
    return std::nullopt;
  OpOperand *write = llvm::is_contained(writes, &operand) ? &operand : writes.front();
  return BufferConflict{
      .kind = BufferConflict::Kind::NotWritable, .read = nullptr, .write = write, .definition = readOnly};
}

std::optional<BufferConflict> ConflictFinder::findParallel(const Uses &writes) const {
  const BufferizationOptions &options = state_.getOptions();
  if (!options.checkParallelRegions)
    return std::nullopt;
  for (OpOperand *write : writes) {
    Region *around = getParallelRegion(write->getOwner()->getParentRegion(), options);
    auto isWritten = [&](Value value) { return state_.bufferizesToMemoryWrite(value); };
    for (Value source : state_.findValueInReverseUseDefChain(write, isWritten))
      if (getParallelRegion(source.getParentRegion(), options) != around)
        return BufferConflict{
            .kind = BufferConflict::Kind::ParallelRegion, .read = nullptr, .write = write, .definition = source};
  }
  return std::nullopt;
}

/// Whether the order of the ops says in what order their reads and writes happen: not where a loop
/// brings the write in front of the read again, without the definition in between.
bool ConflictFinder::isOrderedByDominance(OpOperand *read, OpOperand *write,
                                          const llvm::SetVector<Value> &definitions) {
  const BufferizationOptions &options = state_.getOptions();
  Operation *reader = read->getOwner(), *writer = write->getOwner();
  bool sameRegion = reader->getParentRegion() == writer->getParentRegion();
  for (Value definition : definitions) {
    Region *around = state_.getEnclosingRepetitiveRegion(definition, options);
    Region *loop = nullptr;
    for (Region *region = state_.getEnclosingRepetitiveRegion(reader, options); region && region != around;
         region = getNextEnclosingRepetitiveRegion(region, options))
      loop = region;
    if (loop && loop->getParentOp()->isAncestor(writer))
      return false;
    Block *definitionBlock = definition.getParentBlock();
    if (sameRegion && reader->getBlock()->isReachable(writer->getBlock(), {definitionBlock}) &&
        writer->getBlock()->isReachable(reader->getBlock(), {definitionBlock}))
      return false;
  }
  return true;
}

/// Whether an op reads each element before it writes that same element.
bool ConflictFinder::areSameElements(OpOperand *read, OpOperand *write) const {
  if (read->getOwner() != write->getOwner())
    return false;
  auto op = state_.getOptions().dynCastBufferizableOp(read->getOwner());
  return op && op.bufferizesToElementwiseAccess(state_, {read, write}) &&
         (comesFrom(state_, read, write->get()) || comesFrom(state_, write, read->get()));
}

/// Whether an insertion is involved that reads or writes what the other op does not.
bool ConflictFinder::touchOtherSubsets(OpOperand *read, OpOperand *write) const {
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(read->getOwner())) {
    // Of its destination, it reads only what it does not overwrite.
    if (read == &insertion.getDestinationOperand() && isInsertedSubset(state_, write, insertion))
      return true;
    // Its source is that part of the destination already.
    if (read == &insertion.getSourceOperand() && write == &insertion.getDestinationOperand() &&
        isInsertedSubset(state_, read, insertion))
      return true;
  }
  // It writes what is there already.
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(write->getOwner());
  return insertion && write == &insertion.getDestinationOperand() &&
         state_.areEquivalentBufferizedValues(read->get(), insertion.getSourceOperand().get()) &&
         isInsertedSubset(state_, &insertion.getSourceOperand(), insertion);
}

/// Whether nothing rules out that the write changes what the read sees; `isOrdered` as in
/// isOrderedByDominance.
bool ConflictFinder::mayConflict(OpOperand *read, OpOperand *write, bool isOrdered, const DominanceInfo &dominance) {
  Operation *reader = read->getOwner(), *writer = write->getOwner();
  if (isOrdered && (happensBefore(reader, writer, dominance) || read == write ||
                    state_.insideMutuallyExclusiveRegions(reader, writer) || areSameElements(read, write)))
    return false;
  if (touchOtherSubsets(read, write))
    return false;
  const BufferizationOptions &options = state_.getOptions();
  for (Operation *op : {reader, writer})
    if (auto bufferizable = options.dynCastBufferizableOp(op))
      if (bufferizable.isNotConflicting(read, write, state_))
        return false;
  return true;
}

/// Whether the write may come between the definition and its reads.
bool ConflictFinder::isClobbered(Value definition, OpOperand *write, const DominanceInfo &dominance) const {
  Operation *writer = write->getOwner();
  if (Operation *op = definition.getDefiningOp()) {
    if (happensBefore(writer, op, dominance) || op->isProperAncestor(writer))
      return false;
  } else if (!cast<BlockArgument>(definition).getOwner()->findAncestorOpInBlock(*writer)) {
    return false;
  }
  AliasingValueList written = state_.getAliasingValues(*write);
  return written.getNumAliases() != 1 || written.getAliases()[0].value != definition;
}

std::optional<BufferConflict> ConflictFinder::findReadAfterWrite(OpOperand &operand, const Uses &reads,
                                                                 const Uses &writes, const DominanceInfo &dominance) {
  std::optional<Candidate> best;
  for (OpOperand *read : reads) {
    const llvm::SetVector<Value> &definitions = state_.findDefinitionsCached(read);
    int64_t readPlace = places_.lookup(read->getOwner());
    for (OpOperand *write : writes) {
      int64_t writePlace = places_.lookup(write->getOwner());
      std::tuple rank(write != &operand, readPlace <= writePlace, readPlace, writePlace);
      if (definitions.empty() || (best && best->rank <= rank) ||
          !mayConflict(read, write, isOrderedByDominance(read, write, definitions), dominance))
        continue;
      Value clobbered;
      for (Value definition : definitions)
        if (isClobbered(definition, write, dominance) && (!clobbered || placeOf(clobbered) < placeOf(definition)))
          clobbered = definition;
      if (clobbered)
        best = Candidate{.conflict = {.kind = BufferConflict::Kind::ReadAfterWrite,
                                      .read = read,
                                      .write = write,
                                      .definition = clobbered},
                         .rank = rank};
    }
  }
  if (!best)
    return std::nullopt;
  return best->conflict;
}

std::optional<BufferConflict> ConflictFinder::find(OpOperand &operand, const DominanceInfo &dominance) {
  Uses writes = writesOf(operand);
  if (auto conflict = findReadOnly(operand, writes))
    return conflict;
  Uses reads = readsOf(operand);
  if (reads.empty() || writes.empty())
    return std::nullopt;
  if (auto conflict = findParallel(writes))
    return conflict;
  return findReadAfterWrite(operand, reads, writes, dominance);
}

} // namespace fuselage
