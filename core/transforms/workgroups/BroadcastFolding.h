// Contractions of operands that are only repeated.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Lets the contractions of `block` read what a broadcast repeats for them: the batch_matmul that exporters make of a
/// projection, its weights repeated for each of 197 tokens, is a matmul of 197 rows. A repeated operand that nobody
/// else reads goes.
void foldBroadcasts(mlir::RewriterBase &rewriter, mlir::Block &block);

} // namespace fuselage
