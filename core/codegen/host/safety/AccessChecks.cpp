#include "core/codegen/host/safety/AccessChecks.h"
#include "core/ir/ops/NumberBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr llvm::StringLiteral kOutOfBounds = "out-of-bounds access";

/// Writes conditions at a place.
class Conditions {
public:
  Conditions(OpBuilder &builder, Location loc) : builder_(builder), loc_(loc) {}

  Value index(int64_t number) { return arith::ConstantIndexOp::create(builder_, loc_, number); }
  Value sizeOf(Value base, int64_t dim) {
    return isa<MemRefType>(base.getType()) ? memref::DimOp::create(builder_, loc_, base, dim).getResult()
                                           : tensor::DimOp::create(builder_, loc_, base, dim).getResult();
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder_, loc_, predicate, a, b);
  }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder_, loc_, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder_, loc_, a, b); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder_, loc_, a, b); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder_, loc_, a, b); }
  Value multiply(Value a, Value b) { return arith::MulIOp::create(builder_, loc_, a, b); }
  Value yes() { return arith::ConstantIntOp::create(builder_, loc_, 1, 1); }
  Value negated(Value bits) {
    Value ones = yes();
    if (auto type = dyn_cast<VectorType>(bits.getType()))
      ones = vectorOf(ones, type);
    return arith::XOrIOp::create(builder_, loc_, bits, ones);
  }
  /// Whether one of the bits of a mask is set.
  Value any(Value mask) {
    auto type = cast<VectorType>(mask.getType());
    auto flat = VectorType::get({type.getNumElements()}, type.getElementType());
    if (type != flat)
      mask = vector::ShapeCastOp::create(builder_, loc_, flat, mask);
    return vector::ReductionOp::create(builder_, loc_, vector::CombiningKind::OR, mask);
  }
  /// 0 <= value < size, element by element.
  Value within(Value value, Value size) {
    Value zero = index(0);
    if (auto type = dyn_cast<VectorType>(value.getType())) {
      zero = vector::BroadcastOp::create(builder_, loc_, type, zero);
      size = vector::BroadcastOp::create(builder_, loc_, type, size);
    }
    return both(compare(arith::CmpIPredicate::sge, value, zero), compare(arith::CmpIPredicate::slt, value, size));
  }
  /// How many bits of a mask are set.
  Value countOf(Value mask) {
    auto type = cast<VectorType>(mask.getType()).clone(builder_.getI64Type());
    Value bits = arith::ExtUIOp::create(builder_, loc_, type, mask);
    Value sum = vector::ReductionOp::create(builder_, loc_, vector::CombiningKind::ADD, bits);
    return arith::IndexCastOp::create(builder_, loc_, builder_.getIndexType(), sum);
  }
  Value toIndices(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    return type.getElementType().isIndex()
               ? vector
               : arith::IndexCastOp::create(builder_, loc_, type.clone(builder_.getIndexType()), vector);
  }
  /// Which of the lanes of `type` lie in the last dimensions of `base`, from `indices` on.
  Value lanes(VectorType type, Value base, ValueRange indices) {
    SmallVector<Value> sizes;
    unsigned first = indices.size() - type.getRank();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(subtract(sizeOf(base, first + dim), indices[first + dim]));
    return vector::CreateMaskOp::create(builder_, loc_, type, sizes);
  }
  /// Whether the first `count` of the indices are within their dimensions.
  Value outer(Value base, ValueRange indices, unsigned count) {
    Value holds = yes();
    for (unsigned dim = 0; dim < count; ++dim)
      holds = both(holds, within(indices[dim], sizeOf(base, dim)));
    return holds;
  }
  Value vectorOf(Value value, VectorType type) { return vector::BroadcastOp::create(builder_, loc_, type, value); }
  /// How many elements there are from the start of a memref's memory to the end of what it shows.
  Value spanOf(Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    auto described = memref::ExtractStridedMetadataOp::create(builder_, loc_, memref);
    Value last = described.getOffset();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      last = add(last, multiply(subtract(described.getSizes()[dim], index(1)), described.getStrides()[dim]));
    return add(last, index(1));
  }

private:
  OpBuilder &builder_;
  Location loc_;
};

using Assert = llvm::function_ref<void(Value holds, StringRef otherwise)>;

/// Lanes under a mask: those that it takes must be there.
void checkMasked(Conditions &write, Value base, ValueRange indices, Value mask, Assert assertThat) {
  auto type = cast<VectorType>(mask.getType());
  unsigned first = indices.size() - type.getRank();
  Value holds = write.outer(base, indices, first);
  for (Value index : indices.drop_front(first))
    holds = write.both(holds, write.compare(arith::CmpIPredicate::sge, index, write.index(0)));
  Value astray = write.any(write.both(mask, write.negated(write.lanes(type, base, indices))));
  holds = write.both(holds, write.negated(astray));
  assertThat(write.either(holds, write.negated(write.any(mask))), kOutOfBounds);
}

/// Places of a gather or scatter, in the last dimension of what they are of.
void checkPlaces(Conditions &write, Value base, ValueRange offsets, Value places, Value mask, Assert assertThat) {
  Value indices = write.toIndices(places);
  Value at = write.add(indices, write.vectorOf(offsets.back(), cast<VectorType>(indices.getType())));
  Value inside = write.within(at, write.sizeOf(base, offsets.size() - 1));
  Value astray = write.any(write.both(mask, write.negated(inside)));
  Value holds = write.both(write.outer(base, offsets, offsets.size() - 1), write.negated(astray));
  assertThat(write.either(holds, write.negated(write.any(mask))), kOutOfBounds);
}

/// As many elements side by side as the mask has bits.
void checkPacked(Conditions &write, Value base, ValueRange indices, Value mask, Assert assertThat) {
  Value holds = write.outer(base, indices, indices.size() - 1), count = write.countOf(mask);
  Value end = write.add(indices.back(), count);
  holds = write.both(holds, write.compare(arith::CmpIPredicate::sge, indices.back(), write.index(0)));
  holds = write.both(holds, write.compare(arith::CmpIPredicate::sle, end, write.sizeOf(base, indices.size() - 1)));
  assertThat(write.either(holds, write.compare(arith::CmpIPredicate::eq, count, write.index(0))), kOutOfBounds);
}

/// A masked transfer that promises to stay within its bounds.
void checkTransfer(Conditions &write, VectorTransferOpInterface op, Value mask, Assert assertThat) {
  bool isPlain = mask && op.getPermutationMap().isMinorIdentity() && !op.hasOutOfBoundsDim() &&
                 cast<VectorType>(mask.getType()).getShape() == op.getVectorType().getShape();
  if (isPlain)
    return checkMasked(write, op.getBase(), op.getIndices(), mask, assertThat);
  // What may go beyond the end is guarded there, and not before the start.
  for (Value index : op.getIndices())
    assertThat(write.compare(arith::CmpIPredicate::sge, index, write.index(0)), kOutOfBounds);
}

/// The memref whose memory a view shows, through casts and what tells of its parts.
Value allocationOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    bool isView = isa<ViewLikeOpInterface>(op) && isa<MemRefType>(op->getOperand(0).getType());
    if (!isView && !isa<memref::ExtractStridedMetadataOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

/// Bytes of an element; 0 if nobody can tell.
int64_t bytesOf(Type element) { return element.isIndex() ? 8 : numberBytes(element); }

bool isStrided(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset));
}

void checkCast(OpBuilder &builder, Conditions &write, memref::ReinterpretCastOp op, Assert assertThat) {
  Value allocation = allocationOf(op.getSource());
  auto type = dyn_cast<MemRefType>(allocation.getType());
  int64_t have = type ? bytesOf(type.getElementType()) : 0, want = bytesOf(op.getType().getElementType());
  if (!type || !isStrided(type) || have == 0 || want == 0)
    return;
  constexpr int64_t most = int64_t(1) << 30; // beyond that their products overflow
  auto valueOf = [&](OpFoldResult part) { return getValueOrCreateConstantIndexOp(builder, op.getLoc(), part); };
  Value last = valueOf(op.getMixedOffsets().front());
  Value holds = write.compare(arith::CmpIPredicate::sge, last, write.index(0)), isEmpty = write.negated(write.yes());
  for (auto [size, stride] : llvm::zip_equal(op.getMixedSizes(), op.getMixedStrides())) {
    Value count = valueOf(size), step = valueOf(stride);
    last = write.add(last, write.multiply(write.subtract(count, write.index(1)), step));
    holds =
        write.both(holds, write.both(write.within(count, write.index(most)), write.within(step, write.index(most))));
    isEmpty = write.either(isEmpty, write.compare(arith::CmpIPredicate::eq, count, write.index(0)));
  }
  Value bytes = write.multiply(write.spanOf(allocation), write.index(have));
  Value end = write.multiply(write.add(last, write.index(1)), write.index(want));
  holds = write.both(holds, write.compare(arith::CmpIPredicate::sle, end, bytes));
  assertThat(write.either(isEmpty, holds), "a view that reaches beyond its memory");
}

} // namespace

void checkAccess(OpBuilder &builder, Operation *op, Assert assertThat) {
  if (llvm::any_of(op->getOperandTypes(),
                   [](Type type) { return isa<VectorType>(type) && cast<VectorType>(type).isScalable(); }))
    return;
  Value around;
  if (auto mask = dyn_cast_if_present<vector::MaskOp>(op->getParentOp())) {
    builder.setInsertionPoint(mask); // it holds one op alone
    around = mask.getMask();
  }
  Conditions write(builder, op->getLoc());
  llvm::TypeSwitch<Operation *>(op)
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp>(
          [&](auto access) { checkMasked(write, access.getBase(), access.getIndices(), access.getMask(), assertThat); })
      .Case<vector::ExpandLoadOp, vector::CompressStoreOp>(
          [&](auto access) { checkPacked(write, access.getBase(), access.getIndices(), access.getMask(), assertThat); })
      .Case<vector::GatherOp, vector::ScatterOp>([&](auto access) {
        if (!access.getOffsets().empty())
          checkPlaces(write, access.getBase(), access.getOffsets(), access.getIndices(), access.getMask(), assertThat);
      })
      .Case([&](VectorTransferOpInterface access) {
        checkTransfer(write, access, access.getMask() ? access.getMask() : around, assertThat);
      })
      .Case([&](memref::ReinterpretCastOp cast) { checkCast(builder, write, cast, assertThat); });
}

} // namespace fuselage
