#include "app/bridge/TileTypes.h"
#include "app/bridge/JsonFields.h"

using namespace Qt::StringLiterals;

namespace fuselage::protocol {

static TileAxis axisOf(const QJsonArray &json) {
  TileAxis axis;
  for (const QJsonValue value : json) {
    const QJsonObject run = value.toObject();
    axis.append({.offset = integer(run, "offset"_L1),
                 .size = integer(run, "size"_L1),
                 .stride = integer(run, "stride"_L1, 1),
                 .width = integer(run, "width"_L1, 1)});
  }
  return axis;
}

static QList<TilePiece> pieces(const QJsonObject &json, QLatin1String name) {
  QList<TilePiece> list;
  for (const QJsonValue piece : json.value(name).toArray()) {
    TilePiece &axes = list.emplaceBack();
    for (const QJsonValue axis : piece.toArray())
      axes.append(axisOf(axis.toArray()));
  }
  return list;
}

static QList<int> loopNumbers(const QJsonObject &json, QLatin1String name) {
  QList<int> list;
  for (qint64 number : integers(json, name))
    list.append(int(number));
  return list;
}

static void decode(const QJsonObject &json, TileOp &out) {
  out.id = integer(json, "id"_L1, -1);
  out.op = text(json, "op"_L1);
  out.name = text(json, "name"_L1);
}

static void decode(const QJsonObject &json, TileLoop &out) {
  out.name = text(json, "name"_L1);
  out.isReduction = text(json, "iterator"_L1) == "reduction"_L1;
  out.range = integer(json, "range"_L1, 1);
  out.size = integer(json, "size"_L1, out.range);
  out.trips = integer(json, "trips"_L1, 1);
  out.lastSize = integer(json, "last_size"_L1, out.size);
  out.divisors = integers(json, "divisors"_L1);
  out.suggested = integer(json, "suggested"_L1, out.range);
}

static void decode(const QJsonObject &json, TileFootprint &out) {
  out.name = text(json, "name"_L1);
  out.type = text(json, "type"_L1);
  out.shape = integers(json, "shape"_L1);
  out.role = text(json, "role"_L1);
  out.map = text(json, "map"_L1);
  out.note = text(json, "note"_L1);
  out.movesWith = loopNumbers(json, "moves_with"_L1);
  out.exact = json.value("exact"_L1).toBool(true);
  out.elements = integer(json, "elements"_L1);
  out.bytes = integer(json, "bytes"_L1);
  out.pieces = pieces(json, "pieces"_L1);
  out.piecesTotal = integer(json, "pieces_total"_L1);
  out.sliceElements = integer(json, "slice_elements"_L1);
  out.haloElements = integer(json, "halo_elements"_L1);
  out.halo = pieces(json, "halo"_L1);
}

static void decode(const QJsonObject &json, TileProducer &out) {
  decode(json, out.op);
  out.view = json.value("view"_L1).toBool();
  out.domain = integers(json, "domain"_L1);
  out.points = integer(json, "points"_L1);
  out.slicePoints = integer(json, "slice_points"_L1);
  out.recompute = real(json, "recompute"_L1, -1);
  out.sliceRecompute = real(json, "slice_recompute"_L1, -1);
  out.otherUsers = json.value("other_users"_L1).toBool();
  out.results = objects<TileFootprint>(json, "results"_L1);
}

static void decode(const QJsonObject &json, TileEvent &out) {
  out.method = text(json, "method"_L1);
  out.about = text(json, "about"_L1);
  out.op = text(json, "op"_L1);
  out.value = text(json, "value"_L1);
  out.slice = text(json, "slice"_L1);
  out.maps = texts(json, "maps"_L1);
  out.ir = texts(json, "ir"_L1);
}

static TileCost costOf(const QJsonObject &costs, QLatin1String name) {
  const QJsonObject json = costs.value(name).toObject();
  return {.flops = real(json, "flops"_L1, -1),
          .bytes = real(json, "bytes"_L1, -1),
          .bytesAtMost = json.value("bytes_at_most"_L1).toBool(),
          .intensity = real(json, "intensity"_L1, -1)};
}

void decode(const QJsonObject &json, TileDomain &out) {
  decode(json, out.op);
  out.why = text(json, "why"_L1);
  out.loops = objects<TileLoop>(json, "loops"_L1);
  out.producers = objects<TileOp>(json, "producers"_L1);
  out.canTrace = json.value("can_trace"_L1).toBool();
}

void decode(const QJsonObject &json, TileReport &out) {
  decode(json.value("op"_L1).toObject(), out.op);
  out.notes = texts(json, "notes"_L1);
  out.loops = objects<TileLoop>(json, "loops"_L1);
  out.order = loopNumbers(json, "order"_L1);
  out.tiles = integer(json, "tiles"_L1);
  out.tile = integers(json, "tile"_L1);
  out.tileNumber = integer(json, "tile_number"_L1);
  out.operands = objects<TileFootprint>(json, "operands"_L1);
  out.results = objects<TileFootprint>(json, "results"_L1);
  out.outside = objects<TileFootprint>(json, "outside"_L1);
  out.producers = objects<TileProducer>(json, "producers"_L1);
  out.workgroupBytes = integer(json, "workgroup_bytes"_L1);
  out.maxWorkgroupBytes = integer(json, "max_workgroup_bytes"_L1, -1);
  out.workgroupLimit = integer(json, "workgroup_limit"_L1, -1);
  out.device = text(json, "device"_L1);
  const QJsonObject costs = json.value("costs"_L1).toObject();
  out.separate = costOf(costs, "separate"_L1);
  out.untiled = costOf(costs, "untiled"_L1);
  out.tiled = costOf(costs, "tiled"_L1);
  out.fused = costOf(costs, "fused"_L1);
  out.fuses = costs.value("fused"_L1).isObject();
  out.complete = json.value("complete"_L1).toBool(true);
}

void decode(const QJsonObject &json, TileTrace &out) {
  out.events = objects<TileEvent>(json, "events"_L1);
  out.function = text(json, "function"_L1);
}

} // namespace fuselage::protocol
