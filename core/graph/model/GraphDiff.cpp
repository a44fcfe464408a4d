#include "core/graph/model/GraphDiff.h"
#include "core/ir/ops/Payload.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Origins named for one op; a location that very many ops share names no more than these.
constexpr size_t mostOrigins = 16;

struct Entry {
  Operation *op;
  OpId id;
  SmallVector<Attribute, 2> places; // file:line:col
};

/// The symbol of the function around an op, else null.
Attribute enclosingSymbol(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? function->getAttr(SymbolTable::getSymbolAttrName()) : Attribute();
}

bool isNode(Operation *op) { return !isa<ModuleOp, FunctionOpInterface>(op); }

/// Every op that is a graph node, in order.
std::vector<Entry> collect(ModuleOp module, GraphDiff::By by) {
  std::vector<Entry> entries;
  OpId next = 0;
  Operation *payload = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    OpId id = next++;
    if (payload && payload->isProperAncestor(op))
      return;
    payload = hasPayloadRegion(op) ? op : nullptr;
    if (!isNode(op))
      return;
    Entry entry{op, id, {}};
    if (by == GraphDiff::By::Shape) {
      entries.push_back(std::move(entry));
      return;
    }
    op->getLoc()->walk([&](Location location) {
      if (isa<FileLineColRange>(location) && !llvm::is_contained(entry.places, location))
        entry.places.push_back(location);
      return WalkResult::advance();
    });
    entries.push_back(std::move(entry));
  });
  return entries;
}

/// Ops of one kind at one place (or of one shape in one function, where places are unknown), in
/// order; each is taken once.
struct Queue {
  std::vector<int> entries;
  size_t next = 0;
};

class Differ {
public:
  Differ(ModuleOp before, ModuleOp after, GraphDiff::By by)
      : before_(collect(before, by)), after_(collect(after, by)) {}

  GraphDiff run() {
    index();
    for (const Entry &entry : after_)
      match(entry);
    for (size_t b = 0; b < before_.size(); ++b) {
      bool replaced = llvm::any_of(before_[b].places, [&](Attribute place) { return replacedPlaces_.contains(place); });
      if (!taken_[b] && !replaced)
        diff_.removed.push_back(before_[b].id);
    }
    return std::move(diff_);
  }

private:
  using Key = std::pair<const void *, const void *>;
  static Key keyAt(Attribute place, Operation *op) {
    return {place.getAsOpaquePointer(), op->getName().getAsOpaquePointer()};
  }
  /// For ops without a place: by name, types and function.
  static Key keyByShape(Operation *op) {
    size_t hash = llvm::hash_combine(op->getName().getAsOpaquePointer(), enclosingSymbol(op), op->getNumOperands());
    for (Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type);
    // Alignment keeps this clear of the map's reserved keys.
    return {reinterpret_cast<const void *>(hash << 8), nullptr};
  }

  void index() {
    taken_.assign(before_.size(), 0);
    for (size_t b = 0; b < before_.size(); ++b) {
      const Entry &entry = before_[b];
      for (Attribute place : entry.places) {
        queues_[keyAt(place, entry.op)].entries.push_back(b);
        std::vector<int> &here = atPlace_[place];
        if (here.size() < mostOrigins)
          here.push_back(b);
      }
      if (entry.places.empty())
        queues_[keyByShape(entry.op)].entries.push_back(b);
    }
  }

  int takeFrom(const Key &key) {
    auto found = queues_.find(key);
    if (found == queues_.end())
      return -1;
    Queue &queue = found->second;
    while (queue.next < queue.entries.size() && taken_[queue.entries[queue.next]])
      ++queue.next;
    if (queue.next == queue.entries.size())
      return -1;
    int entry = queue.entries[queue.next++];
    taken_[entry] = 1;
    return entry;
  }

  void match(const Entry &entry) {
    int partner = -1;
    for (Attribute place : entry.places)
      if (partner < 0)
        partner = takeFrom(keyAt(place, entry.op));
    if (entry.places.empty())
      partner = takeFrom(keyByShape(entry.op));
    GraphDiff::After result;
    result.id = entry.id;
    result.change = GraphDiff::Change::Added;
    if (partner >= 0) {
      Operation *was = before_[partner].op;
      partners_[entry.op] = was;
      result.change = isSame(was, entry.op) ? GraphDiff::Change::Same : GraphDiff::Change::Changed;
      result.origins.push_back(before_[partner].id);
    }
    for (Attribute place : entry.places) {
      if (partner < 0)
        replacedPlaces_.insert(place);
      auto here = atPlace_.find(place);
      if (here == atPlace_.end())
        continue;
      // An op that simply is its partner came from there alone, unless it was fused from more.
      if (partner >= 0 && entry.places.size() == 1)
        continue;
      for (int origin : here->second)
        if (result.origins.size() < mostOrigins && !llvm::is_contained(result.origins, before_[origin].id))
          result.origins.push_back(before_[origin].id);
    }
    matched_.insert(entry.op);
    diff_.after.push_back(std::move(result));
  }

  /// Whether two values are the same one, before and after, as far as that is known yet.
  bool isSame(Value before, Value after) const {
    if (auto result = dyn_cast<OpResult>(after)) {
      auto was = dyn_cast<OpResult>(before);
      auto partner = partners_.find(result.getOwner());
      if (partner == partners_.end())
        return !matched_.contains(result.getOwner()); // a use before its definition is left open
      return was && was.getResultNumber() == result.getResultNumber() && was.getOwner() == partner->second;
    }
    auto argument = cast<BlockArgument>(after);
    auto was = dyn_cast<BlockArgument>(before);
    if (!was || was.getArgNumber() != argument.getArgNumber() || was.getType() != argument.getType())
      return false;
    Operation *owner = argument.getOwner()->getParentOp();
    Operation *wasOwner = was.getOwner()->getParentOp();
    if (!owner || !wasOwner || isNode(owner) != isNode(wasOwner))
      return owner == wasOwner;
    if (!isNode(owner))
      return true; // both functions; the op stands in the same place of the source
    return partners_.lookup(owner) == wasOwner;
  }

  bool isSame(Operation *before, Operation *after) {
    if (before->getName() != after->getName() || before->getResultTypes() != after->getResultTypes() ||
        before->getNumOperands() != after->getNumOperands() || before->getNumRegions() != after->getNumRegions() ||
        before->getAttrDictionary() != after->getAttrDictionary())
      return false;
    for (auto [was, is] : llvm::zip_equal(before->getOperands(), after->getOperands()))
      if (was.getType() != is.getType() || !isSame(was, is))
        return false;
    if (!hasPayloadRegion(after))
      return true;
    for (auto [was, is] : llvm::zip_equal(before->getRegions(), after->getRegions()))
      if (!OperationEquivalence::isRegionEquivalentTo(
              &was, &is, [](Value, Value) { return success(); }, nullptr, OperationEquivalence::Flags::IgnoreLocations))
        return false;
    return true;
  }

  std::vector<Entry> before_, after_;
  std::vector<char> taken_;
  llvm::DenseMap<Key, Queue> queues_;
  llvm::DenseMap<Attribute, std::vector<int>> atPlace_;
  llvm::DenseSet<Attribute> replacedPlaces_;
  llvm::DenseMap<Operation *, Operation *> partners_; // after -> before
  llvm::DenseSet<Operation *> matched_;               // of the after-side
  GraphDiff diff_;
};

} // namespace

GraphDiff diffGraphs(ModuleOp before, ModuleOp after, GraphDiff::By by) { return Differ(before, after, by).run(); }

static const char *changeName(GraphDiff::Change change) {
  switch (change) {
  case GraphDiff::Change::Same:
    return "same";
  case GraphDiff::Change::Added:
    return "added";
  case GraphDiff::Change::Changed:
    return "changed";
  }
  return "changed";
}

message::GraphDiff<> messageOf(const GraphDiff &diff) {
  message::GraphDiff<> message{.after = {}, .removed = diff.removed};
  for (const GraphDiff::After &entry : diff.after)
    message.after.push_back({.id = entry.id, .change = changeName(entry.change), .origins = entry.origins});
  return message;
}

} // namespace fuselage
