// Our sets as upstream's Presburger library writes them: formulas over all integers, with divisions.
#pragma once
#include "core/analysis/sets/Region.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/IR/AffineMap.h"

namespace fuselage::test {

mlir::presburger::PresburgerSet asPresburger(const IntSet &set);
mlir::presburger::PresburgerSet asPresburger(const Region &region, unsigned rank);

/// The image under a map, by eliminating the map's dimensions.
mlir::presburger::PresburgerSet imageUnder(mlir::AffineMap map, const mlir::presburger::PresburgerSet &points);

/// How many points of the box around `region`, which `widerBy` makes larger on all sides, are in `set`; each
/// is compared with what the region says of it. -1: they differ in one.
int64_t countPoints(const mlir::presburger::PresburgerSet &set, const Region &region, int64_t widerBy);

} // namespace fuselage::test
