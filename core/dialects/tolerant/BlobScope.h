// Parses a text that was read without its long hex literals (core/blobs).
#pragma once
#include "core/dialects/blobs/BlobTable.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Texts that are parsed while this lives have placeholders of `blobs`, whose data is kept as long as the context.
class BlobScope {
public:
  BlobScope(mlir::MLIRContext &context, std::shared_ptr<const TextBlobs> blobs);
  ~BlobScope();
  BlobScope(const BlobScope &) = delete;
  BlobScope &operator=(const BlobScope &) = delete;
  /// Whether every literal that was in `dense<...>` is an attribute of an op now, and none is in the text of a gap.
  bool isAllIn(mlir::ModuleOp module) const;

private:
  BlobTable &table_;
};

/// Called when a text was parsed; does something within a BlobScope.
void settleResources(mlir::MLIRContext &context);

} // namespace fuselage
