#include "core/transforms/tile_and_fuse/IndexValueNumbering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {

Value IndexValueNumbering::representative(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp, arith::ConstantOp,
                       tensor::DimOp>(op))
    return value;
  if (Value known = known_.lookup(value))
    return known;
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return representative(operand); });
  size_t hash = llvm::hash_combine(op->getName(), op->hashProperties(), llvm::hash_combine_range(operands));
  auto &candidates = byHash_[hash];
  for (Value candidate : candidates) {
    auto sameNumber = [&](Value a, Value b) { return success(representative(a) == representative(b)); };
    if (OperationEquivalence::isEquivalentTo(op, candidate.getDefiningOp(), sameNumber,
                                             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations))
      return known_[value] = candidate;
  }
  candidates.push_back(value);
  return known_[value] = value;
}

std::pair<uint64_t, uint64_t> IndexValueNumbering::key(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return {0, uint64_t(*constant)};
  return {1, reinterpret_cast<uintptr_t>(representative(cast<Value>(index)).getAsOpaquePointer())};
}

OpFoldResult IndexValueNumbering::unified(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index)) {
    MLIRContext *context =
        isa<Attribute>(index) ? cast<Attribute>(index).getContext() : cast<Value>(index).getContext();
    return IntegerAttr::get(IndexType::get(context), *constant);
  }
  return representative(cast<Value>(index));
}

bool IndexValueNumbering::isEqual(OpFoldResult a, OpFoldResult b) { return key(a) == key(b); }

bool IndexValueNumbering::isEqual(ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [&](auto pair) { return isEqual(std::get<0>(pair), std::get<1>(pair)); });
}

} // namespace fuselage
