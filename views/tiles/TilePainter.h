// Paints iteration domains and footprints as rectangles.
#pragma once
#include "views/common/Theme.h"
#include "views/messages/TileTypes.h"
#include "views/tiles/TilePlane.h"
#include "views/tiles/TileWalk.h"
#include <QPainter>

namespace fuselage {

/// The size of a picture of a plane, within `space`, near to its proportions and never a hair.
QSizeF pictureSize(const QList<qint64> &shape, const TilePlane &plane, const QSizeF &space);

/// Paints into `rect`: the value as a box (a stack where there are more dimensions), what the tile
/// touches of it, and what the next tile touches again, hatched.
void paintFootprint(QPainter &painter, const QRectF &rect, const protocol::TileFootprint &footprint,
                    const TilePlane &plane, const Theme &theme);

/// The grid of tiles with the current one lit, and in it what `inner` says of it; those that were before it are tinted.
void paintDomain(QPainter &painter, const QRectF &rect, const QList<protocol::TileLoop> &loops, const TileWalk &walk,
                 const QList<qint64> &inner, const TilePlane &plane, const Theme &theme);

/// The colour of what the next tile touches again.
QColor haloColor(const Theme &theme);
/// Little squares with their meaning, side by side; returns their width.
qreal paintLegend(QPainter &painter, const QPointF &at, const Theme &theme);

} // namespace fuselage
