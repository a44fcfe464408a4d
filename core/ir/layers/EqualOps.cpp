#include "core/ir/layers/EqualOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
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

/// Whether two slices differ at most in where they begin, by constants: which of several heads or experts is taken does
/// not matter to what becomes of it.
static bool areEqualSlices(OffsetSizeAndStrideOpInterface one, OffsetSizeAndStrideOpInterface other) {
  auto offsetsAreConstant = [](OffsetSizeAndStrideOpInterface op) {
    return llvm::map_to_vector(op.getStaticOffsets(), [](int64_t offset) { return !ShapedType::isDynamic(offset); });
  };
  return one->getName() == other->getName() && one->getResultTypes() == other->getResultTypes() &&
         one->getOperandTypes() == other->getOperandTypes() && one.getStaticSizes() == other.getStaticSizes() &&
         one.getStaticStrides() == other.getStaticStrides() && offsetsAreConstant(one) == offsetsAreConstant(other);
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
  if (isData(op) || isa<OffsetSizeAndStrideOpInterface>(op))
    return llvm::hash_combine(hash, op->getName(), op->getNumResults() ? op->getResult(0).getType() : Type());
  return llvm::hash_combine(hash, hashOfOps(op));
}

bool areSameOps(Operation *one, Operation *other) {
  llvm::DenseMap<Value, Value> inside;
  auto agree = [&](Value a, Value b) {
    auto found = inside.find(a);
    return success(found != inside.end() ? found->second == b : a.getType() == b.getType());
  };
  auto note = [&](Value a, Value b) { inside[a] = b; };
  return OperationEquivalence::isEquivalentTo(one, other, agree, note, OperationEquivalence::IgnoreLocations);
}

bool areEqualOps(Operation *one, Operation *other) {
  if (isData(one) && isData(other))
    return one->getName() == other->getName() && one->getResultTypes() == other->getResultTypes();
  if (auto a = dyn_cast<OffsetSizeAndStrideOpInterface>(one), b = dyn_cast<OffsetSizeAndStrideOpInterface>(other);
      a && b)
    return areEqualSlices(a, b);
  return areSameOps(one, other);
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
