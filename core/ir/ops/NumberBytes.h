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

/// Bytes of a tensor or buffer in which each element lies by itself, an index as 8 bytes; -1: dynamic.
inline int64_t unpackedBytes(mlir::ShapedType type) {
  constexpr int64_t indexBytes = 8;
  int64_t bytes = numberBytes(type.getElementType());
  return type.hasStaticShape() ? type.getNumElements() * (bytes > 0 ? bytes : indexBytes) : -1;
}

/// Alignment of buffers in workgroup memory: the widest access of a thread.
inline constexpr uint64_t kWorkgroupAlignment = 16;
/// Bytes of workgroup memory that a static buffer takes, up to where the next one may start.
inline int64_t workgroupBytes(mlir::MemRefType type) {
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(unpackedBytes(type)), kWorkgroupAlignment));
}

} // namespace fuselage
