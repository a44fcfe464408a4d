#include "PresburgerOracle.h"
#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"

using namespace mlir::presburger;

namespace fuselage::test {

/// Of variable `dim`: in one of the run's intervals, which are numbered by a division.
static void constrain(IntegerPolyhedron &points, unsigned dim, const IntRun &run) {
  llvm::SmallVector<int64_t> offset(points.getNumCols(), 0);
  offset[dim] = 1;
  offset.back() = -run.begin;
  unsigned number = points.addLocalFloorDiv(offset, run.stride);
  points.addBound(BoundType::LB, number, 0);
  points.addBound(BoundType::UB, number, run.count - 1);
  llvm::SmallVector<int64_t> inside(points.getNumCols(), 0);
  inside[dim] = 1;
  inside[number] = -run.stride;
  points.addBound(BoundType::LB, inside, run.begin);
  points.addBound(BoundType::UB, inside, run.begin + run.width - 1);
}

static std::vector<IntegerPolyhedron> asPolyhedra(const Product &product) {
  std::vector<IntegerPolyhedron> polyhedra{IntegerPolyhedron(PresburgerSpace::getSetSpace(product.size()))};
  for (auto [dim, axis] : llvm::enumerate(product)) {
    std::vector<IntegerPolyhedron> next;
    for (const IntegerPolyhedron &points : polyhedra)
      for (const IntRun &run : axis.set.runs())
        constrain(next.emplace_back(points), dim, run);
    polyhedra = std::move(next);
  }
  return polyhedra;
}

PresburgerSet asPresburger(const Region &region, unsigned rank) {
  PresburgerSet set = PresburgerSet::getEmpty(PresburgerSpace::getSetSpace(rank));
  for (const Product &piece : region.pieces)
    for (const IntegerPolyhedron &points : asPolyhedra(piece))
      set.unionInPlace(points);
  return set;
}

PresburgerSet asPresburger(const IntSet &set) { return asPresburger(Region::of({{.set = set, .shift = {}}}), 1); }

PresburgerSet imageUnder(mlir::AffineMap map, const PresburgerSet &points) {
  IntegerRelation relation(PresburgerSpace::getRelationSpace());
  if (failed(mlir::affine::getRelationFromMap(map, relation)))
    return PresburgerSet::getEmpty(PresburgerSpace::getSetSpace(map.getNumResults()));
  // Upstream counts all variables to the range.
  if (relation.getNumDomainVars() == 0)
    relation.convertVarKind(VarKind::Range, 0, map.getNumDims(), VarKind::Domain);
  return PresburgerRelation(relation).intersectDomain(points).getRangeSet();
}

int64_t countPoints(const PresburgerSet &set, const Region &region, int64_t widerBy) {
  if (region.empty())
    return set.isIntegerEmpty() ? 0 : -1;
  Product hull = region.hull();
  llvm::SmallVector<int64_t> point(hull.size(), 0);
  int64_t count = 0;
  bool isSame = true;
  auto recurse = [&](auto &self, size_t axis) -> void {
    if (axis == hull.size()) {
      bool isInside = set.containsPoint(point);
      isSame &= isInside == region.contains(point);
      count += isInside;
      return;
    }
    for (point[axis] = hull[axis].set.lo() - widerBy; point[axis] < hull[axis].set.end() + widerBy; ++point[axis])
      self(self, axis + 1);
  };
  recurse(recurse, 0);
  return isSame ? count : -1;
}

} // namespace fuselage::test
