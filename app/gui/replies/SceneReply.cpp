#include "app/gui/replies/SceneReply.h"
#include "app/gui/replies/ViewData.h"
#include <QJsonArray>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

using namespace Qt::StringLiterals;

namespace fuselage {
namespace {

/// The values of the letters of base64; -1: it is none.
constexpr std::array<qint8, 128> base64Values() {
  std::array<qint8, 128> values{};
  values.fill(-1);
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < letters.size(); ++i)
    values[size_t(letters[i])] = qint8(i);
  return values;
}

/// Up to the first character that is not base64, such as the padding. A large picture has megabytes of it, which
/// QByteArray::fromBase64() would copy twice.
std::vector<uchar> decodeBase64(QStringView text) {
  static constexpr std::array<qint8, 128> values = base64Values();
  std::vector<uchar> bytes(size_t(text.size()) / 4 * 3 + 3);
  size_t count = 0;
  quint32 bits = 0;
  int have = 0;
  for (const QChar character : text) {
    const qint8 value = character.unicode() < values.size() ? values[character.unicode()] : qint8(-1);
    if (value < 0)
      break;
    bits = bits << 6 | quint32(value);
    have += 6;
    if (have < 8)
      continue;
    have -= 8;
    bytes[count++] = uchar(bits >> have);
  }
  bytes.resize(count);
  return bytes;
}

/// A column of a packed scene: whole numbers; zeros after its end.
class Column {
public:
  Column(const QJsonObject &json, QLatin1String name) {
    const std::vector<uchar> bytes = decodeBase64(json.value(name).toString());
    numbers_.resize(std::count_if(bytes.begin(), bytes.end(), [](uchar byte) { return !(byte & 0x80); }));
    qint64 *number = numbers_.data();
    quint64 last = 0, zigzag = 0;
    int shift = 0;
    for (const uchar byte : bytes) {
      zigzag |= quint64(byte & 0x7f) << shift;
      shift = std::min(shift + 7, 63);
      if (byte & 0x80)
        continue;
      last += (zigzag >> 1) ^ (0 - (zigzag & 1));
      *number++ = qint64(last);
      zigzag = 0;
      shift = 0;
    }
  }
  qsizetype size() const { return numbers_.size(); }
  qint64 at(qsizetype index) const { return index < size() ? numbers_[index] : 0; }
  double length(qsizetype index) const { return double(at(index)) / 16; }

private:
  QList<qint64> numbers_;
};

struct RectColumns {
  Column x, y, w, h;
  RectColumns(const QJsonObject &json, QLatin1String x, QLatin1String y, QLatin1String w, QLatin1String h)
      : x(json, x), y(json, y), w(json, w), h(json, h) {}
  QRectF at(qsizetype index) const { return {x.length(index), y.length(index), w.length(index), h.length(index)}; }
};

struct Texts {
  QStringList all;
  explicit Texts(const QJsonArray &json) {
    all.reserve(json.size());
    for (const QJsonValue text : json)
      all.append(text.toString());
  }
  QString at(qint64 index) const { return index >= 0 && index < all.size() ? all[index] : QString(); }
};

/// The kind of each number of a text.
template <typename Kind> class Kinds {
public:
  explicit Kinds(const Texts &texts) {
    for (const QString &text : texts.all)
      all_.append(Kind::kindFromName(text));
  }
  typename Kind::Kind at(qint64 index) const {
    return index >= 0 && index < all_.size() ? all_[index] : Kind::kindFromName({});
  }

private:
  QList<typename Kind::Kind> all_;
};

void unpackNodes(const QJsonObject &json, const Texts &texts, SceneData &out) {
  const Column id(json, "id"_L1), title(json, "title"_L1), subtitle(json, "subtitle"_L1), kind(json, "kind"_L1),
      count(json, "count"_L1), dispatch(json, "dispatch"_L1), hidden(json, "hidden"_L1), ports(json, "ports"_L1),
      portCount(json, "port_count"_L1), portText(json, "port_text"_L1);
  const RectColumns rect(json, "x"_L1, "y"_L1, "w"_L1, "h"_L1);
  const Kinds<NodeData> kinds(texts);
  out.nodes.reserve(id.size());
  qsizetype readPorts = 0;
  for (qsizetype i = 0; i < id.size(); ++i) {
    QStringList names;
    const qsizetype shown = std::clamp<qsizetype>(ports.at(i), 0, portText.size() - readPorts);
    for (qsizetype end = readPorts + shown; readPorts < end; ++readPorts)
      names.append(texts.at(portText.at(readPorts)));
    out.nodes.append({.id = id.at(i),
                      .title = texts.at(title.at(i)),
                      .subtitle = texts.at(subtitle.at(i)),
                      .kind = kinds.at(kind.at(i)),
                      .dispatch = int(dispatch.at(i)),
                      .collapsed = hidden.at(i) >= 0,
                      .hidden = int(std::max<qint64>(0, hidden.at(i))),
                      .count = int(count.at(i)),
                      .rect = rect.at(i),
                      .ports = std::move(names),
                      .portCount = int(portCount.at(i))});
  }
}

void unpackEdges(const QJsonObject &json, const Texts &texts, SceneData &out) {
  const Column from(json, "from"_L1), to(json, "to"_L1), bytes(json, "bytes"_L1), label(json, "label"_L1),
      bends(json, "bends"_L1), bendX(json, "bend_x"_L1), bendY(json, "bend_y"_L1), useCount(json, "uses"_L1),
      useFrom(json, "use_from"_L1), useTo(json, "use_to"_L1), useOperand(json, "use_operand"_L1);
  const RectColumns place(json, "label_x"_L1, "label_y"_L1, "label_w"_L1, "label_h"_L1);
  qsizetype read = 0, readUses = 0;
  out.edges.reserve(from.size());
  for (qsizetype i = 0; i < from.size(); ++i) {
    const qsizetype size = std::clamp<qsizetype>(bends.at(i), 0, bendX.size() - read);
    QPolygonF points;
    points.reserve(size);
    for (qsizetype end = read + size; read < end; ++read)
      points.append(QPointF(bendX.length(read), bendY.length(read)));
    const QRectF labelRect = place.at(i);
    QList<EdgeUse> uses;
    const qsizetype useSize = std::clamp<qsizetype>(useCount.at(i), 0, useFrom.size() - readUses);
    uses.reserve(useSize);
    for (qsizetype end = readUses + useSize; readUses < end; ++readUses)
      uses.append({.from = useFrom.at(readUses), .to = useTo.at(readUses), .operand = int(useOperand.at(readUses))});
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

void unpackClusters(const QJsonObject &json, const Texts &texts, SceneData &out) {
  const Column id(json, "id"_L1), label(json, "label"_L1), kind(json, "kind"_L1), dispatch(json, "dispatch"_L1),
      depth(json, "depth"_L1);
  const RectColumns rect(json, "x"_L1, "y"_L1, "w"_L1, "h"_L1);
  const Kinds<ClusterData> kinds(texts);
  out.clusters.reserve(id.size());
  for (qsizetype i = 0; i < id.size(); ++i)
    out.clusters.append({.id = id.at(i),
                         .label = texts.at(label.at(i)),
                         .kind = kinds.at(kind.at(i)),
                         .dispatch = int(dispatch.at(i)),
                         .depth = int(depth.at(i)),
                         .rect = rect.at(i)});
}

} // namespace

static QSet<NodeId> idsOf(const QJsonValue &json) {
  QSet<NodeId> ids;
  for (const QJsonValue id : json.toArray())
    ids.insert(id.toInteger());
  return ids;
}

void decode(const QJsonObject &json, SceneReply &out) {
  SceneData data;
  decode(json, data);
  data.snapshot = json.value("snapshot"_L1).toInt(-1);
  if (const QJsonObject packed = json.value("packed"_L1).toObject(); !packed.isEmpty()) {
    const Texts texts(packed.value("texts"_L1).toArray());
    unpackNodes(packed.value("nodes"_L1).toObject(), texts, data);
    unpackEdges(packed.value("edges"_L1).toObject(), texts, data);
    unpackClusters(packed.value("clusters"_L1).toObject(), texts, data);
    const QJsonObject hidden = packed.value("hidden"_L1).toObject();
    const Column op(hidden, "op"_L1), node(hidden, "node"_L1);
    data.hiddenOps.reserve(op.size());
    for (qsizetype i = 0; i < op.size(); ++i)
      data.hiddenOps.insert(op.at(i), node.at(i));
  }
  out.collapsed = idsOf(json.value("collapsed"_L1));
  out.expanded = idsOf(json.value("expanded"_L1));
  out.names.reserve(data.nodes.size());
  for (const NodeData &node : std::as_const(data.nodes))
    out.names.insert(node.id, node.title);
  out.scene = std::make_shared<const PreparedScene>(std::move(data));
}

} // namespace fuselage
