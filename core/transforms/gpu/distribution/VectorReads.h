// Reading and writing several elements at once.
#pragma once
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// True if the index `value` is known to be a multiple of `number`.
bool isMultipleOf(mlir::Value value, int64_t number);

/// True if the rows of `buffer` are contiguous, have a multiple of `width` elements, and start at multiples of `width`
/// elements from the start of its memory.
bool startsAtMultiples(mlir::Value buffer, int64_t width);

/// True if readInVectors and writeInVectors with `inPairs` move `width` neighbours of `buffer`, the first at a multiple
/// of `width`, as one or several vectors: elements of 32 bits, or of fewer bits in global memory.
bool isReadInVectors(mlir::Value buffer, int64_t width);

/// Merges loads of four neighbouring elements of 32 bits that are close together in a block into one vector.load of 16
/// bytes, if the first is known to be aligned: its index, the lengths of the rows and the start of a view are multiples
/// of four. `narrow`: also merges elements of 8 and 16 bits, to 16, 8 or 4 bytes. `inPairs`: also those of global
/// memory, and pairs of its 32-bit elements.
void readInVectors(mlir::RewriterBase &rewriter, mlir::Operation *root, bool narrow = false, bool inPairs = false);

/// The same for stores with nothing but stores and arithmetic between them.
void writeInVectors(mlir::RewriterBase &rewriter, mlir::Operation *root, bool narrow = false, bool inPairs = false);

} // namespace fuselage
