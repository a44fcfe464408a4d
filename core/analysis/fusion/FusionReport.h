// Verdicts as plain data: no MLIR types, for the command line, the engine and the window.
#pragma once
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/module/PrintedModule.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

/// What makes one clause fail for one edge. Unused fields are empty or -1.
struct FusionEvidenceReport {
  std::string producerMap, consumerMap; ///< "(d0, d1) -> (d1, d0)"
  int clash = -1;                       ///< result of consumer_map (else of producer_map)
  OpId culprit = -1;
  std::string culpritOp;
  std::vector<OpId> users;
  int64_t count = -1, limit = -1;
};

struct FusionReasonReport {
  std::string code, kind; ///< kind: what sort of NON_FUSABLE_OP
  std::string sentence, detail;
  std::optional<bool> legal{}; ///< whether it leaves the edge legal
  FusionEvidenceReport evidence;
};

/// Ids are those of the dispatch graph.
struct FusionEdgeReport {
  std::string function;
  OpId from = 0, to = 0;
  unsigned operand = 0;
  std::string fromOp, toOp, fromLoc, toLoc, type;
  std::string fromName{}, toName{}; ///< "%q_mm", as the user's text calls it; empty: no result
  Verdict verdict = Verdict::Separate;
  std::optional<bool> legal{}; ///< see EdgeVerdict::isLegal
  std::vector<FusionReasonReport> reasons; ///< the deciding one first
  std::vector<std::string> unlocks; ///< transforms, each of which alone fuses the edge; see proveUnlocks
  int64_t bytes = 0;                       ///< that fusing saves; -1: unknown
  double microseconds = 0;                 ///< at the report's bandwidth; -1: unknown
  double share = 0;                        ///< of all bytes that the function's dispatches move, 0 to 1; -1: unknown

  /// Separate, and something, or nobody knows how much, goes through memory for it: what moves no bytes is
  /// no loss.
  bool isMissed() const { return verdict == Verdict::Separate && bytes != 0; }
};

/// How many there are of what a report lists: every text and view that counts says these.
struct FusionCounts {
  int64_t dispatches = 0, edges = 0;
  int64_t fusedIntoOp = 0, sameDispatch = 0, cloned = 0, separate = 0; ///< of the edges
  int64_t missed = 0, missedLegal = 0; ///< of the separate ones; and of these, by choice of the policy
};

struct FusionDispatchReport {
  std::string function, name, kind;
  OpId root = -1; ///< -1: not known
  std::vector<OpId> ops;
  int64_t bytes = 0;
  bool bytesAtMost = false;
};

struct FusionReport {
  std::string policy;
  double gbps = 0;
  std::string gbpsSource = "assumed"; ///< or "given", or "measured on vulkan:0"
  std::vector<FusionDispatchReport> dispatches;
  std::vector<FusionEdgeReport> edges; ///< in program order
  int64_t bytes = 0;                   ///< of all dispatches; -1: some are unknown
  bool bytesAtMost = false;            ///< data decides what some read; it may be less
  int64_t missedBytes = 0;             ///< fusing saves at most these; -1: not known
  std::vector<std::string> unproven{}; ///< functions whose edges have no unlocks because none were tried
  FusionCounts count() const;
};

FusionReport reportFusion(mlir::ModuleOp module, llvm::ArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                          double gbps);

/// {"version": 1, "policy", "gbps", "gbps_source", "measure": "predicted", "unproven": [...], "dispatches": [...], "edges": [{from, to, operand, verdict, reason,
/// reasons, unlocks, bytes, est_us, ...}], "totals": {...}}; edges in program order. What is unknown is
/// null.
llvm::json::Value toJSON(const FusionReport &report);

/// A table of the separate edges, dearest first, under a line of totals; `all`: of the fused ones, too.
std::string formatFusionReport(const FusionReport &report, bool all);

} // namespace fuselage
