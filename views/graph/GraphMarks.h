// Badges and bookmarks on nodes, painted over a graph.
#pragma once
#include "views/common/Marks.h"
#include <QPainter>

namespace fuselage {

/// A badge for each mark above its node's rectangle, and a ring around it. `rects`: where the nodes are
/// drawn; null for those that are not in the picture. Those out of `sight` are left out, and badges for which there is
/// no room.
void paintNodeMarks(QPainter &painter, const QList<NodeMark> &marks, const QList<QRectF> &rects, const QRectF &sight,
                    const Theme &theme);

inline constexpr QSizeF ribbonSize{9, 13};
/// The bookmark of a node with a note.
void paintRibbon(QPainter &painter, QPointF corner, const Theme &theme);
/// A ribbon on the upper border of each rectangle.
void paintNotes(QPainter &painter, const QList<QRectF> &rects, const Theme &theme);

} // namespace fuselage
