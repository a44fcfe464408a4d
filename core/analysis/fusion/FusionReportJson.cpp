#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/FusionReport.h"
#include <cmath>

namespace fuselage {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// Unknown numbers are null.
static Value known(int64_t number) { return number < 0 ? Value(nullptr) : Value(number); }
static Value known(double number, double unit) {
  return number < 0 ? Value(nullptr) : Value(std::round(number / unit) * unit);
}

template <typename T> static Array listOf(const std::vector<T> &values) {
  Array list;
  for (const T &value : values)
    list.push_back(value);
  return list;
}

static Object toJSON(const FusionEvidenceReport &evidence) {
  Object json;
  if (!evidence.producerMap.empty())
    json["producer_map"] = evidence.producerMap;
  if (!evidence.consumerMap.empty())
    json["consumer_map"] = evidence.consumerMap;
  if (evidence.clash >= 0)
    json["dimension"] = evidence.clash;
  if (evidence.culprit >= 0) {
    json["op"] = evidence.culprit;
    json["op_name"] = evidence.culpritOp;
  }
  if (!evidence.users.empty())
    json["users"] = listOf(evidence.users);
  if (evidence.count >= 0)
    json["count"] = evidence.count;
  if (evidence.limit >= 0)
    json["limit"] = evidence.limit;
  return json;
}

static Value known(std::optional<bool> answer) { return answer ? Value(*answer) : Value(nullptr); }

static Object toJSON(const FusionReasonReport &reason) {
  Object json{{"code", reason.code},
              {"sentence", reason.sentence},
              {"legal", known(reason.legal)},
              {"evidence", toJSON(reason.evidence)}};
  if (!reason.kind.empty())
    json["sub_reason"] = reason.kind;
  if (!reason.detail.empty())
    json["detail"] = reason.detail;
  return json;
}

static Object toJSON(const FusionEdgeReport &edge) {
  Array codes, details;
  for (const FusionReasonReport &reason : edge.reasons) {
    codes.push_back(reason.code);
    details.push_back(toJSON(reason));
  }
  bool isSeparate = !edge.reasons.empty();
  return Object{{"function", edge.function},
                {"from", edge.from},
                {"to", edge.to},
                {"operand", edge.operand},
                {"from_op", edge.fromOp},
                {"to_op", edge.toOp},
                {"from_name", edge.fromName},
                {"to_name", edge.toName},
                {"from_loc", edge.fromLoc},
                {"to_loc", edge.toLoc},
                {"type", edge.type},
                {"verdict", verdictName(edge.verdict)},
                {"missed", edge.isMissed()},
                {"legal", known(edge.legal)},
                {"reason", isSeparate ? Value(edge.reasons.front().code) : Value(nullptr)},
                {"sub_reason", isSeparate && !edge.reasons.front().kind.empty() ? Value(edge.reasons.front().kind)
                                                                               : Value(nullptr)},
                {"reasons", std::move(codes)},
                {"details", std::move(details)},
                {"unlocks", listOf(edge.unlocks)},
                {"bytes", known(edge.bytes)},
                {"est_us", known(edge.microseconds, 1e-3)},
                {"share", known(edge.share, 1e-6)}};
}

static Object toJSON(const FusionDispatchReport &dispatch) {
  Object json{{"function", dispatch.function}, {"name", dispatch.name},      {"kind", dispatch.kind},
              {"root", known(dispatch.root)},  {"ops", listOf(dispatch.ops)}, {"bytes", known(dispatch.bytes)}};
  if (dispatch.bytesAtMost)
    json["bytes_at_most"] = true;
  return json;
}

Value toJSON(const FusionReport &report) {
  Array edges, dispatches;
  for (const FusionEdgeReport &edge : report.edges)
    edges.push_back(toJSON(edge));
  for (const FusionDispatchReport &dispatch : report.dispatches)
    dispatches.push_back(toJSON(dispatch));
  FusionCounts counts = report.count();
  return Object{{"version", 1},
                {"policy", report.policy},
                {"gbps", report.gbps},
                {"gbps_source", report.gbpsSource},
                {"measure", "predicted"},
                {"unproven", listOf(report.unproven)},
                {"totals", Object{{"dispatches", counts.dispatches},
                                  {"edges", counts.edges},
                                  {"fused_into_op", counts.fusedIntoOp},
                                  {"same_dispatch", counts.sameDispatch},
                                  {"cloned", counts.cloned},
                                  {"separate", counts.separate},
                                  {"missed", counts.missed},
                                  {"missed_legal", counts.missedLegal},
                                  {"bytes", known(report.bytes)},
                                  {"bytes_at_most", report.bytesAtMost},
                                  {"missed_bytes", known(report.missedBytes)},
                                  {"missed_us", known(estimateMicroseconds(report.missedBytes, report.gbps), 1e-3)}}},
                {"dispatches", std::move(dispatches)},
                {"edges", std::move(edges)}};
}

} // namespace fuselage
