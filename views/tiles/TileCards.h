// What the pictures of the tile explorer show, and what is written below them.
#pragma once
#include "views/tiles/TilePlane.h"

namespace fuselage {

/// A picture: of the iteration domain, or of what the tile touches of a value.
struct TileCard {
  enum class Kind { Domain, Footprint } kind = Kind::Footprint;
  QString section{};  ///< "Operands"; cards of one section follow each other
  QString title{};    ///< "%4"
  QString subtitle{}; ///< "128 × 768 f32"
  QStringList lines{};
  QString warning{}; ///< shown last, in the colour of warnings
  QString toolTip{};
  protocol::TileFootprint footprint{};
  TilePlane plane{};
};

/// Cards of an op at the tile sizes of the report: domain, operands, results, fused producers, and what is
/// read from memory where producers are fused.
/// `inner`: sizes by loop of a part of the tile that is in registers at once, 0 for a whole one; empty: nothing is
/// known of that.
QList<TileCard> tileCards(const protocol::TileReport &report, const QList<qint64> &inner = {});

/// "1.33", "1", "unknown"
QString formatFactor(double factor);

} // namespace fuselage
