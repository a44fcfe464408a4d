// How elements lie in memory: the layout that devices and the host agree on.
#pragma once
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace fuselage {

/// The memory form of an element type. Dense row-major; i1 takes a byte; integers of less than a
/// byte that divide it are packed, the lowest bits first; other odd widths take the next power of
/// two; bf16 is kept as its bits; index takes 64 bits in buffers that the host shares, which a
/// kernel of 32-bit indices reads and writes in halves, low ones first.
struct StorageType {
  mlir::Type element;           ///< what loads return: i4
  mlir::Type unit;              ///< what lies in memory: i8
  unsigned elementsPerUnit = 1; ///< 2
  unsigned unitsPerElement = 1; ///< one of the two is 1
  /// Units that hold `count` elements.
  int64_t unitsFor(int64_t count) const { return (count * unitsPerElement + elementsPerUnit - 1) / elementsPerUnit; }
  int64_t bytesFor(int64_t count) const { return unitsFor(count) * unit.getIntOrFloatBitWidth() / 8; }
};

/// Nothing for types without a memory form (complex, vectors, 8-bit floats, more than 64 bits).
/// `packed`: false gives every element a unit of its own, and an index the bits that the kernel
/// counts with (workgroup memory).
std::optional<StorageType> storageTypeOf(mlir::Type element, bool packed = true, unsigned indexBits = 64);

/// Converts between a unit that holds one element and the element's value.
mlir::Value decodeUnit(mlir::OpBuilder &builder, mlir::Location loc, const StorageType &storage, mlir::Value unit);
mlir::Value encodeUnit(mlir::OpBuilder &builder, mlir::Location loc, const StorageType &storage, mlir::Value value);

} // namespace fuselage
