// Wrong rewrites of many kinds and levels, as patterns of a pass.
#pragma once
#include "mlir/IR/PatternMatch.h"
#include <string>
#include <vector>

namespace fuselage::test {

/// One wrong rewrite, and a program and passes that lead to ops that it fits.
struct WrongRewrite {
  const char *name;
  const char *root; ///< the op that it changes
  std::string program;
  const char *passes; ///< before it
  /// Changes the op, and creates others by the rewriter. Failure: it does not fit this one.
  llvm::LogicalResult (*rewrite)(mlir::Operation *op, mlir::PatternRewriter &rewriter);
};

const std::vector<WrongRewrite> &wrongRewrites();

/// Registers `test-wrong-rewrite{seed=N at=K}`: a pattern that marks every op, and makes the K-th one that fits the
/// N-th of wrongRewrites() wrong; all of them where K is -1, none where it is -2.
void registerWrongRewritePass();

} // namespace fuselage::test
