// Reading and writing several elements at once.
#pragma once
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// True if `value`, an index, is a multiple of `number` in any case.
bool isMultipleOf(mlir::Value value, int64_t number);

/// True if the rows of `buffer` are whole vectors of `width` elements, which lie next to each other, and the first of
/// them is at a multiple of those from the start of its memory.
bool startsAtMultiples(mlir::Value buffer, int64_t width);

/// True if `width` elements in a row of `buffer`, the first of them at a multiple of that, are moved at once by
/// readInVectors and writeInVectors with `inPairs`, or as several vectors of 16 bytes: of 32 bits, or fewer in global
/// memory.
bool isReadInVectors(mlir::Value buffer, int64_t width);

/// Turns loads of four elements of 32 bits in a row, which stand together in a block, into one vector.load of 16 bytes.
/// Only where the first is known to be aligned: its index is a multiple of four, and so are the lengths of the rows,
/// and where a view starts. `narrow`: elements of 8 and 16 bits, too, of which 16, 8 or 4 bytes in a row become one
/// load. `inPairs`: the same of global memory, and of its elements of 32 bits 8 bytes, too.
void readInVectors(mlir::RewriterBase &rewriter, mlir::Operation *root, bool narrow = false, bool inPairs = false);

/// The same for stores that stand together, with nothing but stores and arithmetic between them.
void writeInVectors(mlir::RewriterBase &rewriter, mlir::Operation *root, bool narrow = false, bool inPairs = false);

} // namespace fuselage
