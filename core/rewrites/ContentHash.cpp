#include "core/rewrites/ContentHash.h"
#include "mlir/IR/BuiltinAttributes.h"

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

class ContentHasher {
public:
  explicit ContentHasher(mlir::MLIRContext &context)
      : noAttributes_(mlir::DictionaryAttr::get(&context)),
        memoizedMaps_(mlir::StringAttr::get(&context, "linalg.memoized_indexing_maps")) {}

  void add(mlir::Operation &op) {
    __builtin_prefetch(op.getNextNode()); // in a large module it is in no near cache
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
  uint64_t hash() const { return hash_; }

private:
  void join(uint64_t value) {
    hash_ = (hash_ ^ value) * factor;
    hash_ ^= hash_ >> 29;
  }

  uint64_t sumOf(mlir::Operation &op) const {
    Terms terms;
    terms.add(&op);
    terms.add(op.getName().getAsOpaquePointer());
    if (op.getPropertiesStorageSize() > 0)
      terms.add(uint64_t(op.hashProperties()));
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
  uint64_t hash_ = 0x2545f4914f6cdd1du;
};
} // namespace

uint64_t contentHash(mlir::Operation *root) {
  ContentHasher hasher(*root->getContext());
  hasher.add(*root);
  return hasher.hash();
}

} // namespace fuselage
