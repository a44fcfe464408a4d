#include "app/gui/replies/ViewData.h"
#include "app/bridge/MessageReader.h"
#include "views/messages/DocumentTypes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace fuselage {

static QRectF rect(const QJsonObject &json) {
  return {json.value("x"_L1).toDouble(), json.value("y"_L1).toDouble(), json.value("w"_L1).toDouble(),
          json.value("h"_L1).toDouble()};
}

static NodeData node(const QJsonObject &json) {
  QStringList ports;
  for (const QJsonValue port : json.value("ports"_L1).toArray())
    ports.append(port["text"_L1].toString());
  return {.id = json.value("id"_L1).toInteger(),
          .title = json.value("title"_L1).toString(),
          .subtitle = json.value("subtitle"_L1).toString(),
          .kind = NodeData::kindFromName(json.value("kind"_L1).toString()),
          .dispatch = json.value("dispatch"_L1).toInt(-1),
          .collapsed = json.value("collapsed"_L1).toBool(),
          .hidden = json.value("hidden"_L1).toInt(),
          .count = json.value("count"_L1).toInt(),
          .rect = rect(json),
          .ports = ports,
          .portCount = json.value("port_count"_L1).toInt()};
}

static EdgeData edge(const QJsonObject &json) {
  EdgeData result{.from = json.value("from"_L1).toInteger(),
                  .to = json.value("to"_L1).toInteger(),
                  .label = json.value("label"_L1).toString(),
                  .bytes = json.value("bytes"_L1).toInteger(-1),
                  .points = {},
                  .labelRect = {}};
  const QJsonArray points = json.value("points"_L1).toArray();
  result.points.reserve(points.size() / 2);
  for (qsizetype i = 0; i + 1 < points.size(); i += 2)
    result.points.append(QPointF(points[i].toDouble(), points[i + 1].toDouble()));
  for (const QJsonValue value : json.value("uses"_L1).toArray())
    result.uses.append({.from = value[0].toInteger(), .to = value[1].toInteger(), .operand = value[2].toInt()});
  const QJsonArray place = json.value("label_at"_L1).toArray();
  if (place.size() == 4)
    result.labelRect = QRectF(place[0].toDouble(), place[1].toDouble(), place[2].toDouble(), place[3].toDouble());
  return result;
}

static ClusterData cluster(const QJsonObject &json) {
  return {.id = json.value("id"_L1).toInteger(),
          .label = json.value("label"_L1).toString(),
          .kind = ClusterData::kindFromName(json.value("kind"_L1).toString()),
          .dispatch = json.value("dispatch"_L1).toInt(-1),
          .depth = json.value("depth"_L1).toInt(),
          .rect = rect(json)};
}

void decode(const QJsonObject &json, SceneData &out) {
  for (const QJsonValue value : json.value("nodes"_L1).toArray())
    out.nodes.append(node(value.toObject()));
  for (const QJsonValue value : json.value("edges"_L1).toArray())
    if (EdgeData data = edge(value.toObject()); data.points.size() >= 2)
      out.edges.append(std::move(data));
  for (const QJsonValue value : json.value("clusters"_L1).toArray())
    out.clusters.append(cluster(value.toObject()));
  out.bounds = rect(json.value("bounds"_L1).toObject());
  if (const QJsonValue entry = json.value("entry"_L1); entry.isDouble())
    out.entry = entry.toInteger();
  for (const QJsonValue value : json.value("dispatch_locs"_L1).toArray())
    out.dispatchLocs.append(value.toString());
  for (const QJsonValue value : json.value("dispatch_hues"_L1).toArray())
    out.dispatchHues.append(value.toInt());
  for (const QJsonValue value : json.value("hidden_ops"_L1).toArray())
    out.hiddenOps.insert(value[0].toInteger(), value[1].toInteger());
}

/// [begin, end, begin, end, ..]
static QList<ByteSpan> spans(const QJsonValue &value) {
  QList<ByteSpan> list;
  const QJsonArray numbers = value.toArray();
  for (qsizetype i = 0; i + 1 < numbers.size(); i += 2)
    list.append({numbers[i].toInt(), numbers[i + 1].toInt()});
  return list;
}

void decode(const QJsonObject &json, DiffData &out) {
  // The protocol's row kinds; 4 is a run of equal rows.
  static constexpr DiffRowData::Kind kinds[] = {DiffRowData::Kind::Same, DiffRowData::Kind::Added,
                                                DiffRowData::Kind::Removed, DiffRowData::Kind::Changed,
                                                DiffRowData::Kind::Same};
  for (const QJsonValue value : json.value("rows"_L1).toArray()) {
    const QJsonArray fields = value.toArray();
    const int kind = fields.at(0).toInt(-1);
    if (kind < 0 || kind > 4)
      continue;
    DiffRowData row{.kind = kinds[kind],
                    .left = fields.at(1).toInt(-1),
                    .right = fields.at(2).toInt(-1),
                    .count = 1,
                    .leftSpans = {},
                    .rightSpans = {}};
    if (kind == 4)
      row.count = std::max(1, fields.at(3).toInt());
    else {
      row.leftSpans = spans(fields.at(3));
      row.rightSpans = spans(fields.at(4));
    }
    out.rows.append(std::move(row));
  }
  out.added = json.value("added"_L1).toInt();
  out.removed = json.value("removed"_L1).toInt();
  out.changed = json.value("changed"_L1).toInt();
}

void decode(const QJsonObject &json, ScheduleDiff &out) {
  out.before = json.value("baseline"_L1).toString();
  out.after = json.value("text"_L1).toString();
  decode(json, out.diff);
}

void decode(const QJsonObject &json, GraphChanges &out) {
  protocol::GraphDiff diff;
  decode(json, diff);
  QSet<NodeId> kept; // as ops of their kind
  for (const protocol::GraphDiffNode &node : diff.after)
    if (node.change != "added"_L1)
      for (const qint64 origin : node.origins)
        kept.insert(origin);
  for (const protocol::GraphDiffNode &node : diff.after) {
    const bool isNew = node.change == "added"_L1, isOther = node.change == "changed"_L1;
    if (isNew || isOther)
      out.changes.insert(node.id, isNew ? Change::Added : Change::Changed);
    if (!node.origins.isEmpty())
      out.origins.insert(node.id, node.origins.front());
    for (const qint64 origin : node.origins) {
      if (!out.successors.contains(origin))
        out.successors.insert(origin, node.id);
      if (isOther || (isNew && !kept.contains(origin)))
        out.gone.insert(origin, Change::Changed);
    }
  }
  for (const qint64 id : diff.removed)
    out.gone.insert(id, Change::Removed);
  out.removed = diff.removed;
}

} // namespace fuselage
