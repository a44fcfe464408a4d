// A plan of dispatches, with the order of ops that makes every group of it stand at one place.
#pragma once
#include "core/transforms/dispatch/DispatchFormation.h"

namespace fuselage {

struct DispatchPlan {
  std::vector<DispatchGroup> groups; ///< in program order of their roots
  /// The ops of each block that has to be reordered; wrapping needs no other moves then.
  std::vector<std::vector<mlir::Operation *>> orders;
};

/// Whether dispatches are to be formed in the body of a function: it is not one itself.
bool canHoldDispatches(mlir::Region &body);

/// planDispatches, and the orders. These hold once every size that findSizeSource can tell is
/// resolved.
DispatchPlan planFunction(mlir::Region &body, const FusionPolicy &policy);

} // namespace fuselage
