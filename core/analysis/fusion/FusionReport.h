// Verdicts as the message that command line, engine and window speak of: no MLIR types.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/module/PrintedModule.h"
#include "core/protocol/Fusion.h"

namespace fuselage {

using FusionEvidenceReport = message::FusionEvidence<>;
using FusionReasonReport = message::FusionReason<>;
using FusionEdgeReport = message::FusionEdge<>;
using FusionDispatchReport = message::FusionDispatch<>;
using FusionTotals = message::FusionTotals<>;
using FusionReport = message::FusionReport<>;

FusionReport reportFusion(mlir::ModuleOp module, llvm::ArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                          double gbps);

/// Counts in `totals` what the report lists; the bytes there stay.
void countTotals(FusionReport &report);

/// A table of the separate edges, dearest first, under a line of totals; `all`: of the fused ones, too.
std::string formatFusionReport(const FusionReport &report, bool all);

} // namespace fuselage
