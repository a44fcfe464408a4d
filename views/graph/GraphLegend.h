// What lines, badges and colours of a graph mean, in rows below the picture.
#pragma once
#include "views/common/Marks.h"
#include <QPainter>
#include <functional>

namespace fuselage {

struct GraphPaintState;

/// One thing that is explained: its sign, and its words.
struct LegendItem {
  enum class Sign { Line, Ring, Badge, Scale, Ribbon } sign = Sign::Line;
  QPen pen;                    ///< of a line or a ring; its colour is a badge's or a ribbon's
  QString text, numbers = {};  ///< numbers: quieter, behind the text
  QString low = {}, high = {}; ///< at the ends of a scale
  bool isFaint = false;        ///< of something that is not in the picture
};

/// Verdicts, marks of nodes, badges, heat and notes, as far as they are shown. Each of `marks` has a row, and each kind
/// of `badges` (NodeMark::what) one for all of them.
QList<LegendItem> legendOf(const GraphPaintState &state, const QList<NodeMark> &marks, const QList<NodeMark> &badges,
                           const std::function<bool(NodeId)> &isInPicture, const Theme &theme);
/// The height of the rows that the items take at a width; 0 without items.
double legendHeight(const QList<LegendItem> &items, double width);
void paintLegend(QPainter &painter, const QRectF &area, const QList<LegendItem> &items, const Theme &theme);

} // namespace fuselage
