// The attributes of an op of VHLO as StableHLO has them. Internal.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// The attributes for the StableHLO op `name` ("dot_general") that stands for `op`; failure, with an error at `op`, if
/// one is missing or of another kind than its op has.
mlir::FailureOr<mlir::NamedAttrList> upgradeAttributes(mlir::Operation *op, llvm::StringRef name);

} // namespace fuselage
