#include "core/analysis/tiles/AccessModel.h"

namespace fuselage {

Region AccessModel::pointsFor(unsigned, const Region &needed, TileEvents &) const { return needed; }

Region AccessModel::written(unsigned, const Region &points, TileEvents &) const { return points; }

bool isFusable(const AccessModel &producer, unsigned result, std::string &why) {
  mlir::AffineMap map = producer.resultMap(result);
  if (!map || map.isProjectedPermutation())
    return true;
  why = "its result is not indexed by a permutation of its loops, so that a tile of it has no tile of the loops";
  return false;
}

} // namespace fuselage
