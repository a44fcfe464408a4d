#include "core/ir/layers/EqualOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

/// Whether an op is a constant of many numbers: which ones they are does not matter to what becomes of the op.
static bool isData(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() != 1)
    return false;
  return llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
    auto elements = dyn_cast<ElementsAttr>(attribute.getValue());
    return elements && !elements.isSplat();
  });
}

llvm::hash_code hashOfOps(Operation *op) {
  llvm::hash_code hash(0);
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    auto own =
        OperationEquivalence::computeHash(inner, OperationEquivalence::ignoreHashValue,
                                          OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
    hash = llvm::hash_combine(hash, own);
  });
  return hash;
}

static llvm::hash_code hashOf(Operation *op) {
  llvm::hash_code hash(0);
  for (Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  return isData(op) ? llvm::hash_combine(hash, op->getName(), op->getResult(0).getType())
                    : llvm::hash_combine(hash, hashOfOps(op));
}

bool areEqualOps(Operation *one, Operation *other) {
  if (isData(one) && isData(other))
    return one->getName() == other->getName() && one->getResultTypes() == other->getResultTypes();
  llvm::DenseMap<Value, Value> inside;
  auto agree = [&](Value a, Value b) {
    auto found = inside.find(a);
    return success(found != inside.end() ? found->second == b : a.getType() == b.getType());
  };
  auto note = [&](Value a, Value b) { inside[a] = b; };
  return OperationEquivalence::isEquivalentTo(one, other, agree, note, OperationEquivalence::IgnoreLocations);
}

unsigned EqualOps::of(Operation *op) {
  auto [known, isNew] = numbers_.try_emplace(op, next_);
  if (!isNew)
    return known->second;
  auto &bucket = buckets_[static_cast<size_t>(hashOf(op)) >> 1]; // the map reserves the largest keys
  auto equal = llvm::find_if(bucket, [&](Operation *other) { return areEqualOps(other, op); });
  if (equal != bucket.end())
    return known->second = numbers_.lookup(*equal);
  bucket.push_back(op);
  return known->second = next_++;
}

} // namespace fuselage
