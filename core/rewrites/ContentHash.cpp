#include "core/rewrites/ContentHash.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <cstring>

namespace fuselage {

static constexpr uint64_t factor = 0x9e3779b97f4a7c15u;

namespace {
/// The values of one op, as a polynomial: unlike in a chain, no product waits for the sum of those before it. A hash by
/// llvm::hash_combine() of one value after another takes many times as long.
class Terms {
public:
  void add(uint64_t value) {
    sum_ += value * power_;
    power_ *= factor;
  }
  void add(const void *address) { add(uint64_t(reinterpret_cast<uintptr_t>(address))); }
  uint64_t sum() const { return sum_; }

private:
  uint64_t sum_ = 0, power_ = factor;
};

/// Hashes ops, with those in them that are isolated from above as hashes of their own.
class ContentHasher {
public:
  using Known = PassHashes::Known;
  enum class Use {
    Takes, ///< what is known of isolated ops
    Keeps, ///< what is found of them
    None
  };
  ContentHasher(mlir::MLIRContext &context, llvm::DenseMap<mlir::Operation *, Known> &known, Use use)
      : noAttributes_(mlir::DictionaryAttr::get(&context)),
        memoizedMaps_(mlir::StringAttr::get(&context, "linalg.memoized_indexing_maps")), known_(known), use_(use) {}

  Known hash(mlir::Operation &op) {
    if (use_ == Use::Takes)
      if (auto known = known_.find(&op); known != known_.end())
        return known->second;
    const uint64_t outer = std::exchange(hash_, seed);
    const bool outerHasIsolated = std::exchange(hasIsolated_, false);
    addContent(op);
    const Known found{.hash = hash_, .hasIsolated = hasIsolated_};
    hash_ = outer;
    hasIsolated_ = outerHasIsolated;
    if (use_ == Use::Keeps)
      known_[&op] = found;
    return found;
  }

private:
  void add(mlir::Operation &op) {
    __builtin_prefetch(op.getNextNode()); // in a large module it is in no near cache
    if (op.getNumRegions() == 0)
      return join(sumOf(op));
    if (!op.hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return addContent(op);
    hasIsolated_ = true;
    join(hash(op).hash);
  }

  void addContent(mlir::Operation &op) {
    join(sumOf(op));
    for (mlir::Region &region : op.getRegions()) {
      for (mlir::Block &block : region) {
        Terms terms;
        terms.add(&block);
        for (mlir::BlockArgument argument : block.getArguments())
          terms.add(argument.getType().getAsOpaquePointer());
        join(terms.sum());
        for (mlir::Operation &nested : block)
          add(nested);
      }
      join(uint64_t(reinterpret_cast<uintptr_t>(&region))); // where it ends
    }
  }

  void join(uint64_t value) {
    hash_ = (hash_ ^ value) * factor;
    hash_ ^= hash_ >> 29;
  }

  uint64_t sumOf(mlir::Operation &op) const {
    Terms terms;
    terms.add(&op);
    terms.add(op.getName().getAsOpaquePointer());
    addProperties(terms, op);
    if (mlir::DictionaryAttr attributes = op.getRawDictionaryAttrs(); attributes != noAttributes_) // beside properties
      addAttributes(terms, attributes);
    for (mlir::OpOperand &operand : op.getOpOperands())
      terms.add(operand.get().getAsOpaquePointer());
    for (unsigned i = 0, count = op.getNumResults(); i < count; ++i)
      terms.add(op.getResult(i).getType().getAsOpaquePointer());
    for (mlir::BlockOperand &successor : op.getBlockOperands())
      terms.add(successor.get());
    return terms.sum();
  }

  /// As they lie in memory: attributes and numbers, in all ops of MLIR's own dialects. hashProperties() takes longer
  /// than all the rest. What an op of a plugin keeps elsewhere is not looked at.
  static void addProperties(Terms &terms, mlir::Operation &op) {
    const auto *bytes = op.getPropertiesStorage().as<const char *>();
    const size_t count = op.getPropertiesStorageSize(); // a multiple of the alignment of a word
    for (size_t at = 0; at + sizeof(uint64_t) <= count; at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes + at, sizeof(word));
      terms.add(word);
    }
  }

  void addAttributes(Terms &terms, mlir::DictionaryAttr attributes) const {
    if (!attributes.contains(memoizedMaps_))
      return terms.add(attributes.getAsOpaquePointer());
    // linalg puts it there when somebody asks for maps, and no text shows it
    for (mlir::NamedAttribute attribute : attributes)
      if (attribute.getName() != memoizedMaps_)
        terms.add(attribute.getValue().getAsOpaquePointer());
  }

  mlir::DictionaryAttr noAttributes_;
  mlir::StringAttr memoizedMaps_;
  llvm::DenseMap<mlir::Operation *, Known> &known_;
  Use use_;
  static constexpr uint64_t seed = 0x2545f4914f6cdd1du;
  uint64_t hash_ = seed;     ///< of the isolated op that is being looked at
  bool hasIsolated_ = false; ///< within that
};
} // namespace

uint64_t contentHash(mlir::Operation *root) {
  llvm::DenseMap<mlir::Operation *, ContentHasher::Known> none;
  return ContentHasher(*root->getContext(), none, ContentHasher::Use::None).hash(*root).hash;
}

uint64_t PassHashes::beginPass(mlir::Operation *op) {
  const Known start = ContentHasher(*op->getContext(), known_, ContentHasher::Use::Takes).hash(*op);
  forget(op, start.hasIsolated);
  return start.hash;
}

void PassHashes::forget(mlir::Operation *op, bool hasIsolated) {
  if (hasIsolated)
    known_.clear();
  for (mlir::Operation *around = op; around; around = around->getParentOp())
    known_.erase(around);
}

void PassHashes::forget(mlir::Operation *op) {
  auto known = known_.find(op);
  forget(op, known == known_.end() || known->second.hasIsolated);
}

void PassHashes::beginAt(mlir::Operation *op) {
  if (!known_.contains(op))
    endPass(op);
}

uint64_t PassHashes::endPass(mlir::Operation *op) {
  return ContentHasher(*op->getContext(), known_, ContentHasher::Use::Keeps).hash(*op).hash;
}

} // namespace fuselage
