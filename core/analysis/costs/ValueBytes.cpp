#include "core/analysis/costs/ValueBytes.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

int64_t elementCount(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 1;
  if (!shaped.hasRank())
    return -1;
  // A dimension of none empties the others, however large they are.
  if (llvm::is_contained(shaped.getShape(), 0))
    return 0;
  int64_t count = 1;
  for (int64_t extent : shaped.getShape())
    count = times(count, ShapedType::isDynamic(extent) ? -1 : extent);
  return count;
}

/// Bits of an element as it lies in memory; 0 if the type has no size here.
static int64_t elementBits(Type element) {
  if (element.isIndex())
    return 64;
  if (element.isIntOrFloat()) {
    int64_t width = element.getIntOrFloatBitWidth();
    bool isPacked = width == 2 || width == 4;
    return width == 0 || isPacked ? width : std::max<int64_t>(8, llvm::PowerOf2Ceil(width));
  }
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBits(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(element))
    return times(elementCount(vector), elementBits(vector.getElementType()));
  return 0;
}

/// The type as a shaped one, also where it is a foreign dialect's; null if it has no shape.
static ShapedType shapeOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped;
  return underlyingTensor(type);
}

int64_t bytesOfElements(Type type, int64_t count) {
  int64_t bits = elementBits(getElementTypeOrSelf(type));
  int64_t total = count < 0 ? -1 : times(count, bits);
  if (total < 0 || (bits <= 0 && count != 0))
    return -1;
  return llvm::divideCeil(static_cast<uint64_t>(total), 8);
}

std::optional<int64_t> byteSize(Type type) {
  ShapedType shaped = shapeOf(type);
  if (!shaped)
    return std::nullopt;
  int64_t bytes = bytesOfElements(shaped.getElementType(), elementCount(shaped));
  return bytes < 0 ? std::nullopt : std::optional(bytes);
}

int64_t memoryBytes(Type type) { return shapeOf(type) ? byteSize(type).value_or(-1) : 0; }

} // namespace fuselage
