#include "core/ir/ops/NodeShapes.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace fuselage {

/// The body that tells two ops of one name apart; null where name and attributes imply it.
static Block *payloadOf(Operation *op) {
  if (!isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op) || !hasPayloadRegion(op))
    return nullptr;
  Region &body = op->getRegion(0);
  return body.hasOneBlock() ? &body.front() : nullptr;
}

/// What counts of an attribute of an op without operands: of data, only the type.
static Attribute withoutData(Attribute attribute) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute); dense && dense.isSplat())
    return attribute;
  if (auto elements = dyn_cast<ElementsAttr>(attribute))
    return TypeAttr::get(elements.getShapedType());
  if (isa<SymbolRefAttr>(attribute))
    return UnitAttr::get(attribute.getContext());
  return attribute;
}

/// The attributes that count, of ops where not all do; null of all others.
static Attribute relaxedAttributes(Operation *op) {
  bool source = op->getNumOperands() == 0 && op->getNumResults() == 1 && op->getNumRegions() == 0;
  bool slice = isa<OffsetSizeAndStrideOpInterface>(op);
  if (!source && !slice)
    return {};
  NamedAttrList counts;
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (slice && attribute.getName() == "static_offsets")
      continue;
    counts.append(attribute.getName(), source ? withoutData(attribute.getValue()) : attribute.getValue());
  }
  return counts.getDictionary(op->getContext());
}

/// Name, types and attributes, without regions.
static bool sameOutside(Operation *a, Operation *b, bool attributes) {
  if (a->getName() != b->getName() || a->getOperandTypes() != b->getOperandTypes() ||
      a->getResultTypes() != b->getResultTypes() || a->getNumRegions() != b->getNumRegions() ||
      a->getNumSuccessors() != b->getNumSuccessors())
    return false;
  return !attributes || (a->getRawDictionaryAttrs() == b->getRawDictionaryAttrs() &&
                         a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage()));
}

/// Whether two bodies compute the same; values from outside of them are the edges' matter.
static bool samePayload(Block &a, Block &b) {
  if (a.getArgumentTypes() != b.getArgumentTypes())
    return false;
  llvm::SmallDenseMap<Value, Value, 8> twins;
  for (auto [left, right] : llvm::zip_equal(a.getArguments(), b.getArguments()))
    twins[left] = right;
  auto left = a.begin(), right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right) {
    if (!sameOutside(&*left, &*right, /*attributes=*/true))
      return false;
    for (auto [l, r] : llvm::zip_equal(left->getOperands(), right->getOperands())) {
      auto twin = twins.find(l);
      bool inside = r.getParentBlock() == &b;
      if (twin == twins.end() ? inside : twin->second != r)
        return false;
    }
    for (auto [l, r] : llvm::zip_equal(left->getResults(), right->getResults()))
      twins[l] = r;
    for (auto [l, r] : llvm::zip_equal(left->getRegions(), right->getRegions()))
      if (!OperationEquivalence::isRegionEquivalentTo(&l, &r, OperationEquivalence::IgnoreLocations))
        return false;
  }
  return left == a.end() && right == b.end();
}

int NodeShapes::of(Operation *op) {
  Attribute relaxed = relaxedAttributes(op);
  Block *payload = payloadOf(op);
  llvm::hash_code hash = llvm::hash_combine(op->getName(), relaxed.getAsOpaquePointer());
  for (Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  for (Type type : op->getResultTypes())
    hash = llvm::hash_combine(hash, type);
  if (!relaxed)
    hash = llvm::hash_combine(hash, op->getRawDictionaryAttrs(), op->hashProperties());
  if (payload)
    for (Operation &inner : *payload)
      hash = llvm::hash_combine(hash, inner.getName());
  auto &known = byHash_[static_cast<size_t>(hash) >> 1]; // the map reserves the largest keys
  for (const Shape &shape : known) {
    if (shape.relaxed != relaxed || !sameOutside(shape.op, op, /*attributes=*/!relaxed))
      continue;
    Block *other = payloadOf(shape.op);
    if (!payload == !other && (!payload || samePayload(*other, *payload)))
      return shape.number;
  }
  known.push_back({op, relaxed, next_});
  return next_++;
}

} // namespace fuselage
