// What stands for long hex literals in a text that was read without them (core/blobs).
#pragma once
#include "core/blobs/TextBlobs.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <memory>

namespace fuselage {

/// The literals of the text that is being parsed; our dialect has one.
class BlobTable {
public:
  explicit BlobTable(mlir::MLIRContext *context) : context_(context) {}

  /// Reads what follows `#fuselage.blob`, and makes the attribute that MLIR's parser would make of the literal. Its
  /// data stays where it is, in a mapped file.
  mlir::Attribute parse(mlir::DialectAsmParser &parser, mlir::Type type);
  /// Gives the resources of the context the data that they have a placeholder of.
  void settleResources();

private:
  friend class BlobScope;

  mlir::MLIRContext *context_;
  std::shared_ptr<const TextBlobs> blobs_;             ///< null: the text has all of its literals
  std::vector<std::shared_ptr<const TextBlobs>> kept_; ///< attributes live as long as the context
  std::vector<mlir::Attribute> made_;                  ///< by number
};

} // namespace fuselage
