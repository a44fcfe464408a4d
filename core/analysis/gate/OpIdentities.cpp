#include "core/analysis/gate/OpIdentities.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace mlir;

namespace fuselage {
namespace {

/// Collects what a hash is made of, and hashes it the same way in every process.
class Mix {
public:
  Mix &add(uint64_t value) {
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  Mix &add(llvm::StringRef text) {
    add(text.size());
    bytes_ += text;
    return *this;
  }
  /// In any order.
  Mix &addSet(SmallVector<uint64_t> values) {
    llvm::sort(values);
    add(values.size());
    for (uint64_t value : values)
      add(value);
    return *this;
  }
  uint64_t hash() const { return llvm::xxh3_64bits(bytes_); }

private:
  std::string bytes_;
};

/// Hashes of ops by what they are. See message::FusionOp.
class Identities {
public:
  explicit Identities(ModuleOp module) {
    SmallVector<Operation *> order;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { order.push_back(op); });
    // A definition comes before its uses, but for graph regions, where the hash of a later one is 0.
    for (Operation *op : order)
      if (!isScope(op))
        above_[op] = mixAbove(op);
    for (Operation *op : llvm::reverse(order))
      if (!isScope(op))
        below_[op] = mixBelow(op);
  }

  uint64_t form(Operation *op) {
    auto [entry, isNew] = forms_.try_emplace(op, 0);
    if (!isNew)
      return entry->second;
    Mix mix;
    llvm::DenseMap<Value, unsigned> numbers;
    addForm(op, numbers, mix);
    return forms_[op] = mix.hash();
  }
  uint64_t above(Operation *op) const { return above_.lookup(op); }
  uint64_t below(Operation *op) const { return below_.lookup(op); }
  uint64_t near(Operation *op) {
    Mix mix;
    mix.add(form(op));
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      mix.add(producer ? form(producer) : 0);
    }
    SmallVector<uint64_t> users;
    for (Operation *user : op->getUsers())
      users.push_back(isScope(user) ? 0 : form(user));
    return mix.addSet(std::move(users)).hash();
  }

private:
  /// Modules, functions and the like: their contents are compared, not they.
  static bool isScope(Operation *op) { return isa<SymbolOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>(); }

  uint64_t hashOf(Type type) {
    auto [entry, isNew] = types_.try_emplace(type, 0);
    if (isNew) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      entry->second = llvm::xxh3_64bits(text);
    }
    return entry->second;
  }

  /// Names of symbols and of resources change from one build to the next.
  uint64_t hashOf(Attribute attribute) {
    if (isa<SymbolRefAttr>(attribute))
      return 1;
    auto [entry, isNew] = attributes_.try_emplace(attribute, 0);
    if (!isNew)
      return entry->second;
    constexpr int64_t fewNumbers = 64;
    uint64_t hash = 0;
    if (auto elements = dyn_cast<ElementsAttr>(attribute);
        elements && (elements.getNumElements() > fewNumbers || isa<DenseResourceElementsAttr>(attribute)) &&
        !elements.isSplat()) {
      hash = hashOf(elements.getType());
    } else {
      std::string text;
      llvm::raw_string_ostream(text) << attribute;
      hash = llvm::xxh3_64bits(text);
    }
    return attributes_[attribute] = hash;
  }

  /// Values from outside count by their types.
  void addForm(Operation *op, llvm::DenseMap<Value, unsigned> &numbers, Mix &mix) {
    mix.add(op->getName().getStringRef());
    for (NamedAttribute attribute : op->getAttrs()) {
      StringRef name = attribute.getName();
      if (name == SymbolTable::getSymbolAttrName() || name == "linalg.memoized_indexing_maps")
        continue;
      mix.add(name).add(hashOf(attribute.getValue()));
    }
    for (Value operand : op->getOperands()) {
      auto inside = numbers.find(operand);
      mix.add(inside == numbers.end() ? ~0ull : inside->second).add(hashOf(operand.getType()));
    }
    mix.add(op->getNumResults());
    for (Value result : op->getResults()) {
      numbers.try_emplace(result, numbers.size());
      mix.add(hashOf(result.getType()));
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        mix.add(block.getNumArguments());
        for (BlockArgument argument : block.getArguments()) {
          numbers.try_emplace(argument, numbers.size());
          mix.add(hashOf(argument.getType()));
        }
        for (Operation &inner : block)
          addForm(&inner, numbers, mix);
      }
  }

  uint64_t mixAbove(Operation *op) {
    Mix mix;
    mix.add(form(op));
    auto addValue = [&](Value value) {
      if (auto result = dyn_cast<OpResult>(value)) {
        mix.add(above_.lookup(result.getOwner())).add(result.getResultNumber());
        return;
      }
      auto argument = cast<BlockArgument>(value);
      Operation *holder = argument.getOwner()->getParentOp();
      mix.add(holder && !isScope(holder) ? above_.lookup(holder) : 2).add(argument.getArgNumber());
    };
    for (Value operand : op->getOperands())
      addValue(operand);
    if (op->getNumRegions() == 0)
      return mix.hash();
    // What the body reads from outside, in the order in which it does.
    llvm::SmallPtrSet<Value, 8> seen;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()) && seen.insert(operand).second)
          addValue(operand);
    });
    return mix.hash();
  }

  uint64_t mixBelow(Operation *op) {
    SmallVector<uint64_t> users;
    auto addUsers = [&](Operation *producer) {
      for (OpOperand &use : producer->getUses())
        users.push_back(Mix()
                            .add(below_.lookup(use.getOwner()))
                            .add(use.getOperandNumber())
                            .add(cast<OpResult>(use.get()).getResultNumber())
                            .hash());
    };
    addUsers(op);
    // What a body returns is read by the users of the op around it.
    Operation *around = op->getParentOp();
    if (op->hasTrait<OpTrait::IsTerminator>() && around && !isScope(around))
      addUsers(around);
    return Mix().add(form(op)).addSet(std::move(users)).hash();
  }

  llvm::DenseMap<Operation *, uint64_t> forms_, above_, below_;
  llvm::DenseMap<Type, uint64_t> types_;
  llvm::DenseMap<Attribute, uint64_t> attributes_;
};

} // namespace

static std::string asUtf8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

static std::string asText(uint64_t hash) { return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16); }

void addIdentities(ModuleOp module, message::FusionReport<> &report) {
  std::set<int64_t> wanted;
  for (const message::FusionEdge<> &edge : report.edges)
    wanted.insert({edge.from, edge.to});
  for (const message::FusionDispatch<> &dispatch : report.dispatches)
    wanted.insert(dispatch.ops.begin(), dispatch.ops.end());
  Identities identities(module);
  int64_t next = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    int64_t id = next++;
    if (!wanted.count(id))
      return;
    report.ops.push_back({.op = id,
                          .name = asUtf8(op->getName().getStringRef().str()),
                          .loc = asUtf8(formatPosition(positionOf(op->getLoc()))),
                          .form = asText(identities.form(op)),
                          .above = asText(identities.above(op)),
                          .below = asText(identities.below(op)),
                          .near = asText(identities.near(op))});
  });
}

} // namespace fuselage
