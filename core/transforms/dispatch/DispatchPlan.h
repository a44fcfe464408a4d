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

/// Whether ops that would be dispatched stand beside dispatches in one function: fusing attention, say, forms the
/// dispatch of that alone.
bool isPartlyFormed(mlir::Operation *function);

/// The dispatches of what computes, and the orders. These hold once every size that findSizeSource
/// can tell is resolved.
DispatchPlan planFunction(mlir::Region &body, const FusionPolicy &policy);

/// Plans, and wraps every group into a flow.dispatch.region; warns of those that cannot stand at one place. The dialect
/// has to be there.
void formDispatches(mlir::RewriterBase &rewriter, mlir::FunctionOpInterface function, const FusionPolicy &policy);

/// Moves every flow.dispatch.region under `root` into a function of its own, numbered from `first`.
void outlineDispatches(mlir::RewriterBase &rewriter, mlir::Operation *root, int64_t first = 0);

} // namespace fuselage
