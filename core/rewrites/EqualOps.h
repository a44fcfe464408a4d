// Internal to core/rewrites.
#pragma once

namespace mlir {
class Operation;
}

namespace fuselage {

/// Whether another op is like `op`, whose uses the pass cse has given to that one if so. The pass tells nobody.
bool hasEqual(mlir::Operation *op);

} // namespace fuselage
