#include "core/ir/ops/NodeForms.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace fuselage {

/// The rank, or what kind of type it is.
static unsigned formOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return type.isIntOrIndexOrFloat() ? 1 : 2;
  return 3 + (shaped.hasRank() ? static_cast<unsigned>(shaped.getRank()) : 100);
}

/// Whether an attribute says how an op computes, and not how much or with which number. Lists of numbers are sizes,
/// offsets and reassociations, but for permutations and dimensions.
static bool counts(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  if (isa<FloatAttr, ElementsAttr, SymbolRefAttr, TypeAttr, TypedAttr>(value) && !isa<IntegerAttr, StringAttr>(value))
    return false;
  bool isList = isa<DenseArrayAttr, ArrayAttr>(value);
  return !isList || name.contains("perm") || name.contains("dim") || name.contains("map") || name.contains("iterator");
}

static llvm::hash_code formOfAttributes(Operation *op) {
  llvm::hash_code hash(0);
  bool isSource = op->getNumOperands() == 0 && op->getNumRegions() == 0; // constants, loads of globals
  if (isSource)
    return hash;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (counts(attribute))
      hash =
          llvm::hash_combine(hash, attribute.getName().getAsOpaquePointer(), attribute.getValue().getAsOpaquePointer());
  return hash;
}

int NodeForms::of(Operation *op) {
  llvm::hash_code hash =
      llvm::hash_combine(op->getName().getAsOpaquePointer(), op->getNumOperands(), op->getNumRegions());
  // Operands that are weights may be of any type; the ranks of results say enough.
  for (Type type : op->getResultTypes())
    hash = llvm::hash_combine(hash, formOf(type));
  hash = llvm::hash_combine(hash, formOfAttributes(op));
  if (hasPayloadRegion(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          hash = llvm::hash_combine(hash, inner.getName().getAsOpaquePointer(), formOfAttributes(&inner));
  uint64_t key = static_cast<size_t>(hash) >> 1; // the map reserves the largest keys
  return numbers_.try_emplace(key, static_cast<int>(numbers_.size()) + 1).first->second;
}

int NodeForms::of(Operation *op, int shape) {
  if (!isa<linalg::LinalgOp>(op)) // of which shapes tell payloads apart
    return of(op);
  auto [entry, isNew] = ofShape_.try_emplace(shape);
  if (isNew)
    entry->second = of(op);
  return entry->second;
}

} // namespace fuselage
