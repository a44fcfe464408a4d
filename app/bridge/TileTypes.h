// What tiles/* answer, as Qt values (see core/engine/PROTOCOL.md and the JSON of `fuselage tiles`).
#pragma once
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

namespace fuselage::protocol {

/// `size` blocks of `width` elements, the first at `offset`, `stride` apart; an interval has stride 1.
struct TileRun {
  qint64 offset = 0;
  qint64 size = 0;
  qint64 stride = 1;
  qint64 width = 1;
  qint64 end() const { return stride == 1 ? offset + size : offset + stride * (size - 1) + width; }
};
using TileAxis = QList<TileRun>;   ///< of one dimension
using TilePiece = QList<TileAxis>; ///< the cross product, a dimension each

struct TileOp {
  qint64 id = -1;
  QString op;
  QString name;
};

struct TileLoop {
  QString name;
  bool isReduction = false;
  qint64 range = 1;
  qint64 size = 1;
  qint64 trips = 1;
  qint64 lastSize = 1;
  QList<qint64> divisors; ///< of tiles/domain
  qint64 suggested = 1;   ///< of tiles/domain
};

struct TileDomain {
  TileOp op;
  QString why; ///< it has no tiles; empty where it has
  QList<TileLoop> loops;
  QList<TileOp> producers;
  bool canTrace = false;
};

struct TileFootprint {
  QString name;
  QString type;
  QList<qint64> shape;
  QString role;
  QString map;
  QString note;
  QList<int> movesWith; ///< loops
  bool exact = true;
  qint64 elements = 0;
  qint64 bytes = 0;
  QList<TilePiece> pieces;
  qint64 piecesTotal = 0;
  qint64 sliceElements = 0;
  qint64 haloElements = 0;
  QList<TilePiece> halo;
};

struct TileProducer {
  TileOp op;
  bool view = false;
  QList<qint64> domain;
  qint64 points = 0;
  qint64 slicePoints = 0;
  double recompute = -1; ///< negative: unknown
  double sliceRecompute = -1;
  bool otherUsers = false;
  QList<TileFootprint> results;
};

/// Negative: unknown.
struct TileCost {
  double flops = -1;
  double bytes = -1;
  bool bytesAtMost = false; ///< data decides what is read: it may be less
  double intensity = -1;
};

struct TileReport {
  TileOp op;
  QStringList notes;
  QList<TileLoop> loops;
  QList<int> order;
  qint64 tiles = 0;
  QList<qint64> tile;
  qint64 tileNumber = 0;
  QList<TileFootprint> operands, results, outside;
  QList<TileProducer> producers;
  qint64 workgroupBytes = 0;
  qint64 maxWorkgroupBytes = -1;
  qint64 workgroupLimit = -1;
  QString device;
  TileCost separate, untiled, tiled, fused;
  bool fuses = false;
  bool complete = true;
};

struct TileEvent {
  QString method;
  QString about;
  QString op;
  QString value;
  QString slice;
  QStringList maps;
  QStringList ir;
};
struct TileTrace {
  QList<TileEvent> events;
  QString function;
};

void decode(const QJsonObject &json, TileDomain &out);
void decode(const QJsonObject &json, TileReport &out);
void decode(const QJsonObject &json, TileTrace &out);

} // namespace fuselage::protocol
