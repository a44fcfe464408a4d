// The reasons of one edge as rich text: sentences, maps with the clash lit, links.
#pragma once
#include "views/messages/FusionTypes.h"
#include <QPalette>
#include <functional>

namespace fuselage {

/// What the graph calls an op: "matmul 128x768x768"; empty where it does not know.
using OpNames = std::function<QString(qint64)>;

/// Links: "op:12" an op, "why:MULTI_USE" a Help page, "apply:absorb-transpose" a transform.
QString describeEdge(const protocol::FusionEdge &edge, const protocol::FusionReport &report, const OpNames &names,
                     const QPalette &palette);
/// In a few lines and without links, for a tooltip.
QString summarizeEdge(const protocol::FusionEdge &edge, const protocol::FusionReport &report, const QPalette &palette);
/// In place of a result: the loops that a map leaves out.
constexpr int unusedLoops = -2;
/// An affine map with its result number `lit` (-1: none) and the dimensions in it lit.
QString mapToHtml(const QString &map, int lit, const QPalette &palette);

} // namespace fuselage
