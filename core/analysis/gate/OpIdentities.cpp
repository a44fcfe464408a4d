#include "core/analysis/gate/OpIdentities.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/SharedContext.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace fuselage {

static std::string asUtf8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

static std::string asText(uint64_t hash) { return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16); }

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

/// Hashes ops with all that they hold, but for where they are.
class Forms {
public:
  uint64_t of(Operation *op) {
    Mix mix;
    llvm::DenseMap<Value, unsigned> numbers;
    addForm(op, numbers, mix);
    return mix.hash();
  }

private:
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

  llvm::DenseMap<Type, uint64_t> types_;
  llvm::DenseMap<Attribute, uint64_t> attributes_;
};

/// Hashes of ops by what they are. See message::FusionOp. Of a large module, two threads share the work.
class Identities {
public:
  explicit Identities(ModuleOp module) : isLarge_(isWorthTwoThreads(module)) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      numbers_[op] = ops_.size();
      ops_.push_back(op);
    });
    for (std::vector<uint64_t> *hashes : {&forms_, &above_, &below_})
      hashes->resize(ops_.size());
    isScope_.resize(ops_.size());
    inHalves([&](size_t begin, size_t end) {
      Forms forms;
      for (size_t at = begin; at < end; ++at) {
        isScope_[at] = isScope(ops_[at]);
        if (!isScope_[at])
          forms_[at] = forms.of(ops_[at]);
      }
    });
    // A definition comes before its uses, but for graph regions, where the hash of a later one is 0.
    auto findAbove = [&] {
      for (size_t at = 0; at < ops_.size(); ++at)
        if (!isScope_[at])
          above_[at] = mixAbove(ops_[at]);
    };
    auto findBelow = [&] {
      for (size_t at = ops_.size(); at-- > 0;)
        if (!isScope_[at])
          below_[at] = mixBelow(ops_[at]);
    };
    both(findAbove, findBelow);
  }

  /// Describes the ops of these numbers.
  std::vector<message::FusionOp<>> describe(llvm::ArrayRef<size_t> wanted) const {
    std::vector<message::FusionOp<>> described(wanted.size());
    inHalves(wanted.size(), [&](size_t begin, size_t end) {
      for (size_t at = begin; at < end; ++at)
        described[at] = describe(wanted[at]);
    });
    return described;
  }
  size_t size() const { return ops_.size(); }

private:
  /// Modules, functions and the like: their contents are compared, not they.
  static bool isScope(Operation *op) { return isa<SymbolOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>(); }

  void both(const std::function<void()> &first, const std::function<void()> &second) const {
    if (isLarge_)
      return runBoth(*ops_.front()->getContext(), first, second);
    first();
    second();
  }
  void inHalves(size_t size, llvm::function_ref<void(size_t begin, size_t end)> work) const {
    both([&] { work(0, size / 2); }, [&] { work(size / 2, size); });
  }
  void inHalves(llvm::function_ref<void(size_t begin, size_t end)> work) const { inHalves(ops_.size(), work); }

  size_t numberOf(Operation *op) const { return numbers_.lookup(op); }
  /// Of a scope it takes as long as of all in it, and is seldom asked for.
  uint64_t formOf(size_t number) const { return isScope_[number] ? Forms().of(ops_[number]) : forms_[number]; }
  message::FusionOp<> describe(size_t number) const {
    Operation *op = ops_[number];
    return {.op = static_cast<int64_t>(number),
            .name = asUtf8(op->getName().getStringRef().str()),
            .loc = asUtf8(formatPosition(positionOf(op->getLoc()))),
            .form = asText(formOf(number)),
            .above = asText(above_[number]),
            .below = asText(below_[number]),
            .near = asText(near(op))};
  }

  uint64_t near(Operation *op) const {
    Mix mix;
    mix.add(formOf(numberOf(op)));
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      mix.add(producer ? formOf(numberOf(producer)) : 0);
    }
    SmallVector<uint64_t> users;
    for (Operation *user : op->getUsers())
      users.push_back(isScope_[numberOf(user)] ? 0 : forms_[numberOf(user)]);
    return mix.addSet(std::move(users)).hash();
  }

  uint64_t mixAbove(Operation *op) const {
    Mix mix;
    mix.add(forms_[numberOf(op)]);
    auto addValue = [&](Value value) {
      if (auto result = dyn_cast<OpResult>(value)) {
        mix.add(above_[numberOf(result.getOwner())]).add(result.getResultNumber());
        return;
      }
      auto argument = cast<BlockArgument>(value);
      Operation *holder = argument.getOwner()->getParentOp();
      mix.add(holder && !isScope_[numberOf(holder)] ? above_[numberOf(holder)] : 2).add(argument.getArgNumber());
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

  uint64_t mixBelow(Operation *op) const {
    SmallVector<uint64_t> users;
    auto addUsers = [&](Operation *producer) {
      for (OpOperand &use : producer->getUses())
        users.push_back(Mix()
                            .add(below_[numberOf(use.getOwner())])
                            .add(use.getOperandNumber())
                            .add(cast<OpResult>(use.get()).getResultNumber())
                            .hash());
    };
    addUsers(op);
    // What a body returns is read by the users of the op around it.
    Operation *around = op->getParentOp();
    if (op->hasTrait<OpTrait::IsTerminator>() && around && !isScope_[numberOf(around)])
      addUsers(around);
    return Mix().add(forms_[numberOf(op)]).addSet(std::move(users)).hash();
  }

  const bool isLarge_;
  std::vector<Operation *> ops_;
  llvm::DenseMap<Operation *, size_t> numbers_;
  std::vector<uint64_t> forms_, above_, below_; ///< by op; 0: not known yet, or never
  std::vector<char> isScope_;
};

} // namespace

void addIdentities(ModuleOp module, message::FusionReport<> &report) {
  Identities identities(module);
  std::vector<char> isWanted(identities.size());
  auto want = [&](int64_t id) {
    if (id >= 0 && static_cast<size_t>(id) < isWanted.size())
      isWanted[id] = true;
  };
  for (const message::FusionEdge<> &edge : report.edges) {
    want(edge.from);
    want(edge.to);
  }
  for (const message::FusionDispatch<> &dispatch : report.dispatches)
    for (int64_t op : dispatch.ops)
      want(op);
  std::vector<size_t> wanted;
  for (size_t number = 0; number < isWanted.size(); ++number)
    if (isWanted[number])
      wanted.push_back(number);
  llvm::append_range(report.ops, identities.describe(wanted));
}

} // namespace fuselage
