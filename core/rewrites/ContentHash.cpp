#include "core/rewrites/ContentHash.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Hashing.h"

namespace fuselage {

static uint64_t hashOf(mlir::Operation &op, mlir::StringAttr memoizedMaps) {
  uint64_t hash = llvm::hash_combine(&op, op.getName().getAsOpaquePointer(), uint64_t(op.hashProperties()));
  auto mix = [&hash](auto value) { hash = llvm::hash_combine(hash, value); };
  mlir::DictionaryAttr attributes = op.getDiscardableAttrDictionary();
  if (attributes.contains(memoizedMaps)) { // linalg puts it there when somebody asks for maps, and no text shows it
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
  return hash;
}

uint64_t contentHash(mlir::Operation *root) {
  return hashOf(*root, mlir::StringAttr::get(root->getContext(), "linalg.memoized_indexing_maps"));
}

} // namespace fuselage
