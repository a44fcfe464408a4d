// Reading several elements of workgroup memory at once.
#pragma once
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Turns loads of four elements of 32 bits in a row of workgroup memory, which stand together in a
/// block, into one vector.load of 16 bytes. Only where the first is known to be aligned: its index is
/// a multiple of four, and so are the lengths of the rows.
void readInVectors(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace fuselage
