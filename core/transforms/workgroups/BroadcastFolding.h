// Contractions of broadcast operands.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Folds broadcasts into the contractions of `block` that read them: a batch_matmul whose weights an exporter has
/// broadcast to each of 197 tokens becomes a matmul of 197 rows. Erases broadcasts without other users.
void foldBroadcasts(mlir::RewriterBase &rewriter, mlir::Block &block);

} // namespace fuselage
