// How many bytes a number takes where each lies by itself.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {

/// Bytes of an integer or a float: its bits, rounded up to bytes, so that i1 and i4 take one. Of a vector and of a
/// complex number, those of all parts. 0: an index, whose width the target decides, or no number at all.
/// What devices pack (i4) and what is shown to people is core/analysis/costs/ValueBytes.h.
inline int64_t numberBytes(mlir::Type type) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    return vector.getNumElements() * numberBytes(vector.getElementType());
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return 2 * numberBytes(complex.getElementType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 0;
}

} // namespace fuselage
