// Dispatches that hold one attention op.
#pragma once
#include "core/dialects/flow/Flow.h"

namespace fuselage {

/// Puts a region's ops before it, and removes it.
void dissolve(flow::DispatchRegionOp region);

/// A flow.dispatch.region around an attention op of another dialect, as fuselage-portable-dispatches writes it, becomes
/// the dispatch that fuselage-fuse-attention makes of attention. Where that refuses, its ops stand by themselves.
void reopenAttentionDispatches(mlir::ModuleOp module);

} // namespace fuselage
