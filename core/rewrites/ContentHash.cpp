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

static void mixOp(Mixer &mix, mlir::Operation &op, mlir::StringAttr memoizedMaps) {
  mix(&op);
  mix(op.getName().getAsOpaquePointer());
  mix(uint64_t(op.hashProperties()));
  mlir::DictionaryAttr attributes = op.getRawDictionaryAttrs(); // beside the properties
  if (!attributes.empty() &&
      attributes.contains(memoizedMaps)) { // linalg puts it there when somebody asks for maps, and no text shows it
    for (mlir::NamedAttribute attribute : attributes)
      if (attribute.getName() != memoizedMaps)
        mix(attribute.getValue().getAsOpaquePointer());
  } else if (!attributes.empty()) {
    mix(attributes.getAsOpaquePointer());
  }
  for (mlir::OpOperand &operand : op.getOpOperands())
    mix(operand.get().getAsOpaquePointer());
  for (unsigned i = 0, count = op.getNumResults(); i < count; ++i)
    mix(op.getResult(i).getType().getAsOpaquePointer());
  for (mlir::BlockOperand &successor : op.getBlockOperands())
    mix(successor.get());
  if (op.getNumRegions() == 0)
    return;
  for (mlir::Region &region : op.getRegions()) {
    for (mlir::Block &block : region) {
      mix(&block);
      for (mlir::BlockArgument argument : block.getArguments())
        mix(argument.getType().getAsOpaquePointer());
      for (mlir::Operation &nested : block)
        mixOp(mix, nested, memoizedMaps);
    }
    mix(&region); // where it ends
  }
}

uint64_t contentHash(mlir::Operation *root) {
  Mixer mix;
  mixOp(mix, *root, mlir::StringAttr::get(root->getContext(), "linalg.memoized_indexing_maps"));
  return mix.hash();
}

} // namespace fuselage
