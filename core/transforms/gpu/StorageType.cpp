#include "core/transforms/gpu/StorageType.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

std::optional<StorageType> storageTypeOf(Type element, bool packed, unsigned indexBits) {
  MLIRContext *context = element.getContext();
  auto integer = [&](unsigned bits) -> Type { return IntegerType::get(context, bits); };
  if (element.isIndex())
    return StorageType{element, integer(indexBits), 1, packed ? 64 / indexBits : 1};
  if (element.isBF16())
    return StorageType{element, integer(16)};
  if (isa<Float16Type, Float32Type, Float64Type>(element))
    return StorageType{element, element};
  auto type = dyn_cast<IntegerType>(element);
  if (!type || type.getWidth() > 64 || type.getWidth() == 0 || !type.isSignless())
    return std::nullopt;
  unsigned width = type.getWidth();
  if (packed && width > 1 && width < 8 && 8 % width == 0)
    return StorageType{element, integer(8), 8 / width};
  return StorageType{element, integer(std::max<unsigned>(8, llvm::PowerOf2Ceil(width)))};
}

Value decodeUnit(OpBuilder &builder, Location loc, const StorageType &storage, Value unit) {
  if (storage.element == storage.unit)
    return unit;
  if (storage.element.isIndex())
    return arith::IndexCastOp::create(builder, loc, storage.element, unit);
  if (storage.element.isBF16())
    return arith::BitcastOp::create(builder, loc, storage.element, unit);
  if (storage.element.isInteger(1)) {
    Value zero = arith::ConstantIntOp::create(builder, loc, storage.unit, 0);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, unit, zero);
  }
  return arith::TruncIOp::create(builder, loc, storage.element, unit);
}

Value encodeUnit(OpBuilder &builder, Location loc, const StorageType &storage, Value value) {
  if (storage.element == storage.unit)
    return value;
  if (storage.element.isIndex())
    return arith::IndexCastOp::create(builder, loc, storage.unit, value);
  if (storage.element.isBF16())
    return arith::BitcastOp::create(builder, loc, storage.unit, value);
  return arith::ExtUIOp::create(builder, loc, storage.unit, value);
}

} // namespace fuselage
