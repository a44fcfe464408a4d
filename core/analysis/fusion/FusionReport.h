// Verdicts as the message that command line, engine and window speak of: no MLIR types.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/Fusion.h"

namespace fuselage {

using FusionEvidenceReport = message::FusionEvidence<>;
using FusionReasonReport = message::FusionReason<>;
using FusionEdgeReport = message::FusionEdge<>;
using FusionGroupReport = message::FusionGroup<>;
using FusionDispatchReport = message::FusionDispatch<>;
using FusionTotals = message::FusionTotals<>;
using FusionReport = message::FusionReport<>;

FusionReport reportFusion(mlir::ModuleOp module, llvm::ArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                          double gbps);

/// Counts in `totals` what the report lists, and lists its groups by FusionEdge::group; the bytes in `totals` stay.
void summarize(FusionReport &report);

/// Where an edge comes in a list whose dearest is first, if fusing it, or all like it, saves `bytes`: separate edges by
/// these, then those of which nobody knows how many, then the others.
int64_t costRank(const FusionEdgeReport &edge, int64_t bytes);

struct FusionTextOptions {
  bool all = false;  ///< fused edges, too
  bool flat = false; ///< a row an edge, where there would be one a group
};
/// A table of the separate edges, dearest first, under a line of totals.
std::string formatFusionReport(const FusionReport &report, FusionTextOptions options);

} // namespace fuselage
