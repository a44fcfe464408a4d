// What fusing an edge would save: bytes that no longer go through memory.
#include "core/analysis/costs/OperandAccess.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/transforms/dispatch/DispatchSizes.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Answers what of a value's traffic a fusion would save; remembers what it found out about values.
class Savings {
public:
  explicit Savings(llvm::function_ref<int(Operation *)> placeOf) : placeOf_(placeOf) {}
  int64_t savedBy(const EdgeVerdict &verdict);

private:
  Value sourceOf(Value value, int place);
  bool hasOneReader(Value source);
  /// The reader that is charged for a read: the reader's dispatch, or the reader.
  std::pair<int, Operation *> readerOf(Operation *op) {
    int place = placeOf_(op);
    return {place, place < 0 ? op : nullptr};
  }

  llvm::function_ref<int(Operation *)> placeOf_;
  llvm::DenseMap<std::pair<Value, int>, Value> sources_;
  llvm::DenseMap<Value, bool> oneReader_;
  llvm::DenseSet<std::pair<Value, std::pair<int, Operation *>>> counted_;
};

} // namespace

/// What a consumer touches of the value, as an operand or in its payload.
static Bytes bytesTouched(const FusionEdge &edge) {
  if (!edge.isCaptured())
    return accessTo(*edge.use).bytes;
  return payloadAccesses(edge.consumer).lookup(edge.use->get()).bytes;
}

/// The value whose bytes a reader in dispatch `place` sees through views. What another dispatch makes of a view is a
/// copy.
Value Savings::sourceOf(Value value, int place) {
  SmallVector<Value> views;
  Value source = value;
  while (Operation *op = source.getDefiningOp()) {
    if (Value known = sources_.lookup({source, place})) {
      source = known;
      break;
    }
    OpOperand *viewed = findViewed(op);
    if (!viewed || (placeOf_(op) >= 0 && placeOf_(op) != place))
      break;
    views.push_back(source);
    source = viewed->get();
  }
  for (Value view : views)
    sources_[{view, place}] = source;
  return source;
}

/// Whether one dispatch, or one op outside of any, is all that reads the value and its views.
bool Savings::hasOneReader(Value source) {
  auto [entry, isNew] = oneReader_.try_emplace(source, false);
  if (!isNew)
    return entry->second;
  std::optional<std::pair<int, Operation *>> reader;
  SmallVector<Value> pending{source};
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (findSizeSource(user) || isa<tensor::DimOp>(user))
        continue;
      if (findViewed(user) && placeOf_(user) < 0) {
        pending.push_back(user->getResult(0));
        continue;
      }
      if (reader && *reader != readerOf(user))
        return false;
      if (user->hasTrait<OpTrait::IsTerminator>())
        return false;
      reader = readerOf(user);
    }
  return oneReader_[source] = reader.has_value();
}

int64_t Savings::savedBy(const EdgeVerdict &verdict) {
  Operation *consumer = verdict.to;
  Value source = sourceOf(verdict.passed, placeOf_(consumer)); // of a dispatch its result: all that read it read that
  Operation *producer = source.getDefiningOp();
  // Views move nothing: what reads them does. Past the border of a dispatch they stand for that.
  bool isFetched = placeOf_(consumer) >= 0 && placeOf_(verdict.from) != placeOf_(consumer);
  if ((findViewed(consumer) && !isFetched) || !producer || producer->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::SplatOp>(producer))
    return 0;
  if (!counted_.insert({source, readerOf(consumer)}).second)
    return 0;
  // Reads count what the consumer touches (of a slice or gather only that part); the write counts the whole value, once
  // nobody else reads it. A consumer that is a view reads what it shows.
  int64_t read =
              findViewed(consumer) ? memoryBytes(consumer->getResult(0).getType()) : bytesTouched(verdict.edge).count,
          written = memoryBytes(source.getType());
  return plus(read, hasOneReader(source) ? written : 0);
}

void addSavedBytes(std::vector<EdgeVerdict> &edges, llvm::function_ref<int(Operation *)> placeOf) {
  Savings savings(placeOf);
  for (EdgeVerdict &edge : edges)
    if (edge.verdict == Verdict::Separate)
      edge.bytes = savings.savedBy(edge);
}

} // namespace fuselage
