// "Fuse this place": one edge of many equal ones, by passes on the ops around it alone.
#pragma once
#include "core/analysis/fusion/EdgeFusion.h"

namespace fuselage {

/// As fuseEdge(), but no op changes that is not near the edge: the passes are searched on a copy of the two ops, then
/// of what these read and what reads them, and so on, and what is found fuses the edge in its function, too. Stops
/// before an equal edge is among the ops that shares no op with this one. The pipeline is one pass on a module,
/// `fuselage-fuse-at`. Failure: also where the ops cannot be separated from the rest, or the file has several modules.
llvm::Expected<EdgeFusion> fusePlace(mlir::ModuleOp module, const EdgeAddress &address, const FusionPolicy &policy,
                                     const EdgeFusionOptions &options = {});

} // namespace fuselage
