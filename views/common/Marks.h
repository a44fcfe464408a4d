// Roles of ops in a conflict, in one colour wherever they are shown.
#pragma once
#include "views/common/Theme.h"
#include <QPen>

namespace fuselage {

enum class MarkKind { Subject, Read, Write, Definition };

/// 3:1 on the theme's surfaces at least, and told apart by the colour-blind.
QColor markColour(const Theme &theme, MarkKind kind);

/// The ribbon of a bookmark that fills `rect`, with a line of `ground` around it.
void paintBookmark(QPainter &painter, const QRectF &rect, const Theme &theme, const QColor &ground);

/// "can be fused", as all texts call it; empty for None.
QString fusionWords(FusionMark mark);
/// A pen in an edge's colour whose dashes tell the states apart without colours.
QPen fusionPen(FusionMark mark, const QColor &color, double width);

/// A mark of a node. Marks of one node stand beside each other.
struct NodeMark {
  NodeId id = noNode;
  MarkKind kind = MarkKind::Subject;
  QString text; ///< on the badge: "read"
  QString what; ///< in the legend: "read: linalg.add, operand 1"; of badges, their kind: "with remarks"
};

/// A mark of a line, from 0.
struct LineMark {
  int line = -1;
  MarkKind kind = MarkKind::Subject;
  QString text;
};

} // namespace fuselage
