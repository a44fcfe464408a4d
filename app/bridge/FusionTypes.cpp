#include "app/bridge/FusionTypes.h"
#include "app/bridge/JsonFields.h"
#include <QSet>

using namespace Qt::StringLiterals;

namespace fuselage::protocol {

/// Texts that come again and again are kept once: a report has many edges.
class Texts {
public:
  QString operator()(const QJsonObject &json, QLatin1String name) {
    const QString text = json.value(name).toString();
    return text.isEmpty() ? text : *known_.insert(text);
  }

private:
  QSet<QString> known_;
};

static FusionEvidence evidenceOf(const QJsonObject &json, Texts &texts) {
  FusionEvidence evidence{.producerMap = texts(json, "producer_map"_L1),
                          .consumerMap = texts(json, "consumer_map"_L1),
                          .clash = json.value("dimension"_L1).toInt(-1),
                          .culprit = json.value("op"_L1).toInteger(-1),
                          .culpritOp = texts(json, "op_name"_L1),
                          .users = integers(json, "users"_L1),
                          .count = json.value("count"_L1).toInteger(-1),
                          .limit = json.value("limit"_L1).toInteger(-1)};
  return evidence;
}

static FusionEdge edgeOf(const QJsonObject &json, Texts &texts) {
  FusionEdge edge{.function = texts(json, "function"_L1),
                  .from = json.value("from"_L1).toInteger(),
                  .to = json.value("to"_L1).toInteger(),
                  .operand = json.value("operand"_L1).toInt(),
                  .fromOp = texts(json, "from_op"_L1),
                  .toOp = texts(json, "to_op"_L1),
                  .fromLoc = texts(json, "from_loc"_L1),
                  .toLoc = texts(json, "to_loc"_L1),
                  .type = texts(json, "type"_L1),
                  .verdict = texts(json, "verdict"_L1),
                  .legal = json.value("legal"_L1).toBool(true), // null: nobody knows that it cannot be
                  .reasons = {},
                  .unlocks = fuselage::protocol::texts(json, "unlocks"_L1),
                  .bytes = json.value("bytes"_L1).toInteger(-1),
                  .microseconds = json.value("est_us"_L1).toDouble(-1),
                  .share = json.value("share"_L1).toDouble(-1)};
  edge.separate = json.value("missed"_L1).toBool(edge.verdict == "SEPARATE"_L1);
  for (const QJsonValue value : json.value("details"_L1).toArray()) {
    const QJsonObject reason = value.toObject();
    edge.reasons.append({.code = texts(reason, "code"_L1),
                         .kind = texts(reason, "sub_reason"_L1),
                         .sentence = texts(reason, "sentence"_L1),
                         .detail = texts(reason, "detail"_L1),
                         .legal = reason.value("legal"_L1).toBool(),
                         .evidence = evidenceOf(reason.value("evidence"_L1).toObject(), texts)});
  }
  return edge;
}

void decode(const QJsonObject &json, FusionReport &out) {
  const QJsonObject totals = json.value("totals"_L1).toObject();
  out.snapshot = json.value("snapshot"_L1).toInt(-1);
  out.policy = json.value("policy"_L1).toString();
  out.gbps = json.value("gbps"_L1).toDouble();
  out.dispatches = totals.value("dispatches"_L1).toInteger();
  const qint64 separate = totals.value("separate"_L1).toInteger();
  out.separate = totals.value("missed"_L1).toInteger(separate);
  out.fused = totals.value("edges"_L1).toInteger() - separate;
  out.bytes = totals.value("bytes"_L1).toInteger(-1);
  out.missedBytes = totals.value("missed_bytes"_L1).toInteger(-1);
  out.unproven = fuselage::protocol::texts(json, "unproven"_L1);
  out.missedMicroseconds = totals.value("missed_us"_L1).toDouble(-1);
  const QJsonArray edges = json.value("edges"_L1).toArray();
  out.edges.reserve(edges.size());
  Texts texts;
  for (const QJsonValue edge : edges)
    out.edges.append(edgeOf(edge.toObject(), texts));
}

void decode(const QJsonObject &json, FusionHistory &out) {
  for (const QJsonValue step : json.value("steps"_L1).toArray())
    decode(step.toObject(), out.steps.emplaceBack());
  out.kept = json.value("kept"_L1).toInt();
  out.undo = json.value("undo"_L1).toInt();
  out.redo = json.value("redo"_L1).toInt();
}

void decode(const QJsonObject &json, FuseResult &out) {
  decode(json, out.history);
  out.fused = json.value("fused"_L1).toBool();
  out.pipeline = json.value("pipeline"_L1).toString();
  out.reasons = texts(json, "reasons"_L1);
  out.dropped = texts(json, "dropped"_L1);
  out.tries = json.value("tries"_L1).toInt();
  out.gaveUp = json.value("gave_up"_L1).toBool();
  out.dispatchesBefore = json.value("dispatches_before"_L1).toInt();
  out.dispatchesAfter = json.value("dispatches_after"_L1).toInt();
  out.first = json.value("first"_L1).toInt();
}

void decode(const QJsonObject &json, Bandwidth &out) {
  out.device = json.value("device"_L1).toString();
  out.gbps = json.value("gbps"_L1).toDouble();
}

void decode(const QJsonObject &json, FuseProgress &out) {
  out.phase = json.value("phase"_L1).toString();
  out.what = json.value("what"_L1).toString();
  out.done = json.value("done"_L1).toInt();
  out.total = json.value("total"_L1).toInt();
}

void decode(const QJsonObject &json, ReasonHelps &out) {
  for (const QJsonValue value : json.value("reasons"_L1).toArray()) {
    const QJsonObject reason = value.toObject();
    out.reasons.append({.code = reason.value("code"_L1).toString(),
                        .kindOf = reason.value("kind_of"_L1).toString(),
                        .sentence = reason.value("sentence"_L1).toString(),
                        .page = reason.value("page"_L1).toString(),
                        .legal = reason.value("legal"_L1).toBool(),
                        .unlocks = texts(reason, "unlocks"_L1)});
  }
}

} // namespace fuselage::protocol
