#include "core/rewrites/ContentHash.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace fuselage {

namespace {
/// llvm::hash_combine() of one value after another takes three times as long.
class Mixer {
public:
  void operator()(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 29;
  }
  void operator()(const void *address) { (*this)(uint64_t(reinterpret_cast<uintptr_t>(address))); }
  uint64_t hash() const { return hash_; }

private:
  uint64_t hash_ = 0x2545f4914f6cdd1du;
};
} // namespace

static uint64_t hashOf(mlir::Operation &op, mlir::StringAttr memoizedMaps) {
  Mixer mix;
  mix(&op);
  mix(op.getName().getAsOpaquePointer());
  mix(uint64_t(op.hashProperties()));
  mlir::DictionaryAttr attributes = op.getDiscardableAttrDictionary();
  if (!attributes.empty() &&
      attributes.contains(memoizedMaps)) { // linalg puts it there when somebody asks for maps, and no text shows it
    for (mlir::NamedAttribute attribute : attributes)
      if (attribute.getName() != memoizedMaps)
        mix(attribute.getValue().getAsOpaquePointer());
  } else if (!attributes.empty()) {
    mix(attributes.getAsOpaquePointer());
  }
  for (mlir::Value operand : op.getOperands())
    mix(operand.getAsOpaquePointer());
  for (mlir::Type type : op.getResultTypes())
    mix(type.getAsOpaquePointer());
  for (mlir::Block *successor : op.getSuccessors())
    mix(successor);
  for (mlir::Region &region : op.getRegions())
    for (mlir::Block &block : region) {
      mix(&block);
      for (mlir::Type type : block.getArgumentTypes())
        mix(type.getAsOpaquePointer());
      for (mlir::Operation &nested : block)
        mix(hashOf(nested, memoizedMaps));
    }
  return mix.hash();
}

uint64_t contentHash(mlir::Operation *root) {
  return hashOf(*root, mlir::StringAttr::get(root->getContext(), "linalg.memoized_indexing_maps"));
}

} // namespace fuselage
