// Dialects of a context that reads bytecode of VHLO, StableHLO and CHLO, and of no other.
#pragma once
#include "mlir/IR/MLIRContext.h"

namespace fuselage {

/// Loads them, as tolerant ones that know the encoding of their types, attributes and properties. Attributes and types
/// of VHLO are read as those of builtin and StableHLO that they stand for; every property of an op is an attribute
/// afterwards. Attributes of Shardy, whose encoding is not known, are read as `#sdy.unread`. In other contexts ops of
/// these dialects have no definition, which all that lowers them relies on.
void loadPortableDialects(mlir::MLIRContext &context);

} // namespace fuselage
