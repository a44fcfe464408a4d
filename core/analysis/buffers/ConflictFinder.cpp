#include "core/analysis/buffers/ConflictFinder.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

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
  return llvm::any_of(state.getAliasingValues(use),
                      [&](AliasingValue alias) { return state.isValueRead(alias.value); });
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
  return !state
              .findValueInReverseUseDefChain(
                  operand, [&](Value value) { return value == other; }, config)
              .empty();
}

} // namespace

ConflictFinder::ConflictFinder(Operation *root, OneShotAnalysisState &state) : state_(state) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { places_[op] = places_.size(); });
  root->walk([&](Operation *op) {
    int64_t end = std::max(ends_.lookup(op), places_.lookup(op));
    ends_[op] = end;
    if (op != root)
      ends_[op->getParentOp()] = std::max(ends_.lookup(op->getParentOp()), end);
    // Some operands have no choice.
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) && state_.isInPlace(operand))
        noteWrite(operand);
  });
}

int64_t ConflictFinder::placeOf(Value value) const {
  Operation *owner = value.getDefiningOp();
  return places_.lookup(owner ? owner : cast<BlockArgument>(value).getOwner()->getParentOp());
}

bool ConflictFinder::Use::operator<(const Use &other) const {
  return std::make_pair(place, operand->getOperandNumber()) <
         std::make_pair(other.place, other.operand->getOperandNumber());
}

void ConflictFinder::noteWrite(OpOperand &operand) {
  if (state_.bufferizesToMemoryWrite(operand))
    writes_[operand.get()].push_back(useOf(operand));
}

void ConflictFinder::bufferizeInPlace(OpOperand &operand) {
  state_.bufferizeInPlace(operand);
  noteWrite(operand);
}

void ConflictFinder::bufferizeOutOfPlace(OpOperand &operand) { state_.bufferizeOutOfPlace(operand); }

/// Visits what shares the buffer, if the operand is bufferized in place.
void ConflictFinder::forEachAlias(OpOperand &operand, llvm::function_ref<void(Value)> visit) const {
  state_.applyOnAliases(operand.get(), visit);
  for (AliasingValue result : state_.getAliasingValues(operand))
    state_.applyOnAliases(result.value, visit);
}

/// Where writes may be in conflict with a read: if it and what it reads are of one block, which the
/// program goes through in order, not after it, and not before what it reads.
llvm::SmallVector<ConflictFinder::Places, 3> ConflictFinder::writesAround(OpOperand &read) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  Operation *reader = read.getOwner(), *around = reader->getParentOp();
  Block *block = reader->getBlock();
  int64_t first = places_.lookup(reader);
  bool isLocal = around && block->getParent()->hasOneBlock();
  for (Value definition : state_.findDefinitionsCached(&read)) {
    isLocal &= definition.getParentBlock() == block;
    first = std::min(first, placeOf(definition));
  }
  if (!isLocal)
    return {{0, most}};
  return {{0, places_.lookup(around)}, {first, ends_.lookup(reader)}, {ends_.lookup(around) + 1, most}};
}

const std::pair<std::vector<ConflictFinder::Read>, bool> &ConflictFinder::readsOf(Value value) {
  auto [known, isNew] = reads_.try_emplace(value.getAsOpaquePointer());
  auto &[reads, any] = known->second;
  if (!isNew)
    return known->second;
  for (OpOperand &use : value.getUses()) {
    if (!isRead(use, state_))
      continue;
    any = true;
    if (!state_.findDefinitionsCached(&use).empty())
      reads.push_back({useOf(use), writesAround(use)});
  }
  return known->second;
}

ConflictFinder::Reads ConflictFinder::readsOf(OpOperand &operand) {
  Reads all;
  forEachAlias(operand, [&](Value alias) {
    const auto &[reads, any] = readsOf(alias);
    all.any |= any;
    for (const Read &read : reads)
      all.defined.push_back(&read);
  });
  // The operand and its result may be aliases already.
  llvm::sort(all.defined, [](const Read *a, const Read *b) { return *a < *b; });
  all.defined.erase(llvm::unique(all.defined), all.defined.end());
  return all;
}

ConflictFinder::Uses ConflictFinder::writesOf(OpOperand &operand) const {
  Uses writes;
  forEachAlias(operand, [&](Value alias) {
    if (auto found = writes_.find(alias); found != writes_.end())
      llvm::append_range(writes, found->second);
  });
  if (state_.bufferizesToMemoryWrite(operand))
    writes.push_back(useOf(operand));
  llvm::sort(writes);
  writes.erase(llvm::unique(writes), writes.end());
  return writes;
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
  OpOperand *write = llvm::is_contained(writes, useOf(operand)) ? &operand : writes.front().operand;
  return BufferConflict{
      .kind = BufferConflict::Kind::NotWritable, .read = nullptr, .write = write, .definition = readOnly};
}

std::optional<BufferConflict> ConflictFinder::findParallel(const Uses &writes) const {
  const BufferizationOptions &options = state_.getOptions();
  if (!options.checkParallelRegions)
    return std::nullopt;
  for (auto [place, write] : writes) {
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
/// brings the write before the read again, without the definition in between.
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

/// The conflict of one read with one write.
std::optional<BufferConflict> ConflictFinder::conflictOf(OpOperand *read, OpOperand *write,
                                                         const DominanceInfo &dominance) {
  const llvm::SetVector<Value> &definitions = state_.findDefinitionsCached(read);
  if (!mayConflict(read, write, isOrderedByDominance(read, write, definitions), dominance))
    return std::nullopt;
  Value clobbered;
  for (Value definition : definitions)
    if (isClobbered(definition, write, dominance) && (!clobbered || placeOf(clobbered) < placeOf(definition)))
      clobbered = definition;
  if (!clobbered)
    return std::nullopt;
  return BufferConflict{
      .kind = BufferConflict::Kind::ReadAfterWrite, .read = read, .write = write, .definition = clobbered};
}

/// In the order of what explains most, so that the first conflict is the one to show.
std::optional<BufferConflict> ConflictFinder::findReadAfterWrite(OpOperand &operand, const Reads &reads,
                                                                 const Uses &writes, const DominanceInfo &dominance) {
  Uses own, others;
  for (const Use &write : writes)
    (write.operand == &operand ? own : others).push_back(write);
  for (const Uses &candidates : {own, others})
    for (bool isReadAfter : {true, false})
      for (const Read *read : reads.defined)
        for (const Places &places : read->writes) {
          int64_t first = isReadAfter ? places.first : std::max(places.first, read->place);
          int64_t last = isReadAfter ? std::min(places.last, read->place - 1) : places.last;
          auto from = llvm::partition_point(candidates, [&](const Use &write) { return write.place < first; });
          for (; from != candidates.end() && from->place <= last; ++from)
            if (auto conflict = conflictOf(read->operand, from->operand, dominance))
              return conflict;
        }
  return std::nullopt;
}

std::optional<BufferConflict> ConflictFinder::find(OpOperand &operand, const DominanceInfo &dominance) {
  Uses writes = writesOf(operand);
  if (auto conflict = findReadOnly(operand, writes))
    return conflict;
  Reads reads = readsOf(operand);
  if (!reads.any || writes.empty())
    return std::nullopt;
  if (auto conflict = findParallel(writes))
    return conflict;
  return findReadAfterWrite(operand, reads, writes, dominance);
}

} // namespace fuselage
