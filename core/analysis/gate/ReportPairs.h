// Which edges and ops of two reports are the same ones. Internal to core/analysis/gate.
#pragma once
#include "core/protocol/Fusion.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace fuselage {

using FusionReportEdge = message::FusionEdge<>;

/// What a gate asks of an edge.
enum class EdgeStatus { Fused, Missed, Apart };
EdgeStatus statusOf(const FusionReportEdge &edge);

/// A report with its ops and dispatches by number.
struct IndexedReport {
  explicit IndexedReport(const message::FusionReport<> &report);
  const message::FusionOp<> *op(int64_t id) const;
  /// -1: the op is in none.
  int dispatchOf(int64_t id) const;

  const message::FusionReport<> &report;
  llvm::DenseMap<int64_t, const message::FusionOp<> *> ops;
  llvm::DenseMap<int64_t, int> dispatches;
};

/// -1: there is no partner.
struct ReportPairs {
  std::vector<int> baseOfEdge, nowOfEdge;         ///< by index, of edges of the other report
  llvm::DenseMap<int64_t, int64_t> baseOp, nowOp; ///< by number of an op of the other report
};

/// Pairs what is the same in both, by what edges and ops are, the most exact first: with all that is computed before
/// and after them, with one of the two, with their neighbors, by themselves, and at last by names of ops and types.
/// The function's name decides only among those that are equal otherwise. Of several equal edges, those of the same
/// status are paired first, so that each of them that is worse now is counted, and no other.
ReportPairs pairReports(const IndexedReport &base, const IndexedReport &now);

} // namespace fuselage
