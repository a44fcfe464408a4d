// The verdicts that a picture of a module shows.
#pragma once
#include "core/graph/model/LayerNames.h"
#include "core/graph/scene/EdgeVerdicts.h"
#include "core/transforms/dispatch/FusionPolicy.h"
#include "mlir/IR/BuiltinOps.h"
#include <atomic>

namespace fuselage {

/// As `fuselage explain`; with `tries` off, no transforms are tried, which takes a part of the time and leaves what is
/// missed open. None for very large modules, where a picture should not have to wait for them. Failure: the module
/// cannot be judged.
llvm::Expected<EdgeVerdicts> judgeEdges(mlir::ModuleOp module, const FusionPolicy &policy, bool tries = true,
                                        const std::atomic<bool> *cancelled = nullptr);

/// Fills in FusionGroup::layers: an edge is in the layer of the op that reads.
void nameLayers(message::FusionReport<> &report, const LayerNames &names);

} // namespace fuselage
