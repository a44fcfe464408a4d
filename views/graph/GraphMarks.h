// Badges on nodes and their legend, painted over a graph.
#pragma once
#include "views/common/Marks.h"
#include <QPainter>

namespace fuselage {

/// A badge for each mark above its node's rectangle, and a ring around it. `rects`: where the nodes are
/// drawn; null for those that are not in the picture.
void paintNodeMarks(QPainter &painter, const QList<NodeMark> &marks, const QList<QRectF> &rects, const Theme &theme);

/// A bookmark on the upper right corner of each rectangle.
void paintNotes(QPainter &painter, const QList<QRectF> &rects, const Theme &theme);

/// What the marks mean, with its lower left corner at `corner`; returns its height.
double paintMarkLegend(QPainter &painter, QPointF corner, const QList<NodeMark> &marks, const QList<QRectF> &rects,
                     const Theme &theme);

} // namespace fuselage
