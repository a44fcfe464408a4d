// The memory layout of elements that devices and the host share.
#pragma once
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace fuselage {

/// The layout of an element type in memory, dense and row-major:
/// - i1 takes a byte; i2 and i4 are packed into bytes, lowest bits first; other widths take the next power of two;
/// - bf16 is stored as its bits;
/// - index takes 64 bits in buffers that are shared with the host. A kernel with 32-bit indices accesses them as two
///   words, the low one first.
struct StorageType {
  mlir::Type element;           ///< type of loaded values, such as i4
  mlir::Type unit;              ///< type in memory, such as i8
  unsigned elementsPerUnit = 1; ///< for i4: 2
  unsigned unitsPerElement = 1; ///< one of the two is 1
  /// Units that hold `count` elements.
  int64_t unitsFor(int64_t count) const { return (count * unitsPerElement + elementsPerUnit - 1) / elementsPerUnit; }
  int64_t bytesFor(int64_t count) const { return unitsFor(count) * unit.getIntOrFloatBitWidth() / 8; }
};

/// Returns nullopt for types without a layout (complex, vectors, 8-bit floats, more than 64 bits). If `packed` is
/// false, as for workgroup memory, every element has its own unit and index takes `indexBits`.
std::optional<StorageType> storageTypeOf(mlir::Type element, bool packed = true, unsigned indexBits = 64);

/// Converts between a unit that holds one element and the element's value.
mlir::Value decodeUnit(mlir::OpBuilder &builder, mlir::Location loc, const StorageType &storage, mlir::Value unit);
mlir::Value encodeUnit(mlir::OpBuilder &builder, mlir::Location loc, const StorageType &storage, mlir::Value value);

} // namespace fuselage
