// Dialects of ours with ops that we only read beside those that we know.
#pragma once
#include "mlir/IR/DialectInterface.h"

namespace fuselage {

/// A registered dialect whose namespace holds more than it defines. loadTolerantDialects() asks it to accept
/// the rest.
class OpenNamespaceInterface : public mlir::DialectInterface::Base<OpenNamespaceInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OpenNamespaceInterface)
  explicit OpenNamespaceInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// From now on every other op, attribute and type of the namespace parses, too.
  virtual void tolerateUnknown() const = 0;
};

} // namespace fuselage
