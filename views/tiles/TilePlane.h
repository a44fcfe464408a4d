// Which two dimensions of a tensor a picture shows, and what is said of the others.
#pragma once
#include "views/messages/TileTypes.h"

namespace fuselage {

/// -1: there is none (a row of elements, or a single one).
struct TilePlane {
  int row = -1;
  int column = -1;
  QList<int> others;    ///< in order
  bool isStack = false; ///< another dimension has more than one element
};

/// The two dimensions that say most of a footprint: those that have a halo, those that it covers in part,
/// then the inner ones.
TilePlane planeOf(const QList<qint64> &shape, const QList<protocol::TilePiece> &pieces,
                  const QList<protocol::TilePiece> &halo = {});
/// Of an iteration domain: loops that are cut, parallel before reduction.
TilePlane planeOf(const QList<protocol::TileLoop> &loops);

/// What pieces take of one dimension: their runs, each once, by offset.
protocol::TileAxis runsOf(const QList<protocol::TilePiece> &pieces, int dim);
/// "32–63", "0–62 step 2", "all", "none".
QString describeRuns(const protocol::TileAxis &axis, qint64 size);
/// "d0 3 of 64 · d1 all 512"
QString describeOthers(const QList<qint64> &shape, const QList<protocol::TilePiece> &pieces, const QList<int> &dims);
/// "128 × 768 f32" of "tensor<128x768xf32>"; of other types, the type.
QString describeType(const QString &type);

} // namespace fuselage
