// The image of points under an indexing map.
#pragma once
#include "core/analysis/sets/Region.h"
#include "mlir/IR/AffineMap.h"

namespace fuselage {

/// Whether imageOf can tell: no symbols, and divisions, remainders and products by constants that make
/// sense.
bool hasKnownImage(mlir::AffineMap map);

/// The image of points under such a map; shapes of the results are not looked at.
Region imageOf(mlir::AffineMap map, const Region &points, TileEvents &events);

} // namespace fuselage
