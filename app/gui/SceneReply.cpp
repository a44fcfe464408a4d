#include "app/gui/SceneReply.h"
#include "app/gui/ViewData.h"
#include <QJsonArray>
#include <QtEndian>

using namespace Qt::StringLiterals;

namespace fuselage {
namespace {

/// A column of a packed scene; reads zeros behind its end.
template <typename T> class Column {
public:
  Column(const QJsonObject &json, QLatin1String name)
      : bytes_(QByteArray::fromBase64(json.value(name).toString().toLatin1())) {}
  qsizetype size() const { return bytes_.size() / qsizetype(sizeof(T)); }
  T at(qsizetype index) const {
    return index < size() ? qFromLittleEndian<T>(bytes_.constData() + index * qsizetype(sizeof(T))) : T();
  }
  QRectF rect(qsizetype index) const {
    return {double(at(4 * index)), double(at(4 * index + 1)), double(at(4 * index + 2)), double(at(4 * index + 3))};
  }

private:
  QByteArray bytes_;
};

struct Texts {
  QStringList all;
  explicit Texts(const QJsonArray &json) {
    all.reserve(json.size());
    for (const QJsonValue text : json)
      all.append(text.toString());
  }
  QString at(quint32 index) const { return index < quint32(all.size()) ? all[index] : QString(); }
};

void unpackNodes(const QJsonObject &json, const Texts &texts, SceneData &out) {
  const Column<qint64> id(json, "id"_L1);
  const Column<quint32> title(json, "title"_L1), subtitle(json, "subtitle"_L1), kind(json, "kind"_L1), count(json, "count"_L1);
  const Column<qint32> dispatch(json, "dispatch"_L1), hidden(json, "hidden"_L1);
  const Column<float> rect(json, "rect"_L1);
  QHash<quint32, NodeData::Kind> kinds;
  out.nodes.reserve(id.size());
  for (qsizetype i = 0; i < id.size(); ++i) {
    auto known = kinds.constFind(kind.at(i));
    if (known == kinds.cend())
      known = kinds.insert(kind.at(i), NodeData::kindFromName(texts.at(kind.at(i))));
    out.nodes.append({.id = id.at(i),
                      .title = texts.at(title.at(i)),
                      .subtitle = texts.at(subtitle.at(i)),
                      .kind = *known,
                      .dispatch = dispatch.at(i),
                      .collapsed = hidden.at(i) >= 0,
                      .hidden = std::max(0, hidden.at(i)),
                      .count = int(count.at(i)),
                      .rect = rect.rect(i)});
  }
}

void unpackEdges(const QJsonObject &json, const Texts &texts, SceneData &out) {
  const Column<qint64> from(json, "from"_L1), to(json, "to"_L1), bytes(json, "bytes"_L1);
  const Column<quint32> label(json, "label"_L1), bends(json, "points"_L1), useCount(json, "uses"_L1);
  const Column<qint32> use(json, "use"_L1);
  const Column<float> point(json, "point"_L1), place(json, "label_at"_L1);
  qsizetype read = 0, readUses = 0;
  out.edges.reserve(from.size());
  for (qsizetype i = 0; i < from.size(); ++i) {
    const qsizetype size = std::min<qsizetype>(bends.at(i), point.size() / 2 - read);
    QPolygonF points;
    points.reserve(size);
    for (qsizetype end = read + size; read < end; ++read)
      points.append(QPointF(double(point.at(2 * read)), double(point.at(2 * read + 1))));
    const QRectF labelRect = place.rect(i);
    QList<EdgeUse> uses;
    for (const qsizetype end = std::min<qsizetype>(readUses + useCount.at(i), use.size() / 3); readUses < end; ++readUses)
      uses.append({.from = use.at(3 * readUses), .to = use.at(3 * readUses + 1), .operand = use.at(3 * readUses + 2)});
    if (points.size() >= 2)
      out.edges.append({.from = from.at(i),
                        .to = to.at(i),
                        .label = texts.at(label.at(i)),
                        .bytes = bytes.at(i),
                        .points = std::move(points),
                        .labelRect = labelRect.width() > 0 ? labelRect : QRectF(),
                        .uses = std::move(uses)});
  }
}

} // namespace

void decode(const QJsonObject &json, SceneReply &out) {
  SceneData data;
  decode(json, data);
  data.snapshot = json.value("snapshot"_L1).toInt(-1);
  if (const QJsonObject packed = json.value("packed"_L1).toObject(); !packed.isEmpty()) {
    const Texts texts(packed.value("texts"_L1).toArray());
    unpackNodes(packed.value("nodes"_L1).toObject(), texts, data);
    unpackEdges(packed.value("edges"_L1).toObject(), texts, data);
    const QJsonObject hidden = packed.value("hidden"_L1).toObject();
    const Column<qint64> op(hidden, "op"_L1), node(hidden, "node"_L1);
    data.hiddenOps.reserve(op.size());
    for (qsizetype i = 0; i < op.size(); ++i)
      data.hiddenOps.insert(op.at(i), node.at(i));
  }
  out.names.reserve(data.nodes.size());
  for (const NodeData &node : std::as_const(data.nodes))
    out.names.insert(node.id, node.title);
  out.scene = std::make_shared<const PreparedScene>(std::move(data));
}

} // namespace fuselage
