#include "core/graph/compare/ComparedReasons.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/dialects/decoders/InductorOps.h"
#include <map>

namespace fuselage {

using Edges = std::map<std::pair<unsigned, unsigned>, const FusionEdgeReport *>;

/// The first separate edge with a reason from one dispatch to another.
static Edges separateEdges(const FusionReport &report, const ItemizedProgram &program) {
  std::map<OpId, unsigned> dispatchOf;
  for (auto [index, dispatch] : llvm::enumerate(program.dispatches)) {
    dispatchOf[dispatch.op] = index;
    for (OpId node : dispatch.summary.nodes)
      dispatchOf[node] = index;
  }
  Edges edges;
  for (const FusionEdgeReport &edge : report.edges) {
    auto from = dispatchOf.find(edge.from), to = dispatchOf.find(edge.to);
    bool isBetween = from != dispatchOf.end() && to != dispatchOf.end() && from->second != to->second;
    if (isBetween && edge.verdict == Verdict::Separate && !edge.reasons.empty())
      edges.try_emplace({from->second, to->second}, &edge);
  }
  return edges;
}

void addReasons(message::DispatchComparison<> &comparison, mlir::ModuleOp module, const ItemizedProgram &program,
                bool ofB) {
  auto report = explainFusion(module, FusionPolicy(), kDefaultGbps, {.maxOps = 0});
  if (!report) {
    llvm::consumeError(report.takeError());
    return;
  }
  Edges edges = separateEdges(*report, program);
  for (message::ComparedRow<> &row : comparison.rows) {
    const std::vector<int> &own = ofB ? row.b : row.a;
    for (int from : own)
      for (int to : own)
        if (auto found = edges.find({unsigned(from), unsigned(to)}); found != edges.end()) {
          const FusionReasonReport &reason = found->second->reasons.front();
          bool isInductors = llvm::StringRef(reason.detail).starts_with(kDecidedByInductor);
          row.reasons.push_back({.ofB = ofB,
                                 .from = from,
                                 .to = to,
                                 .code = reason.code,
                                 .sentence = isInductors ? reason.detail : reason.sentence});
        }
  }
}

} // namespace fuselage
