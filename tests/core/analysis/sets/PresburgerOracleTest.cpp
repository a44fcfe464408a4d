// IntSet, Region and images against upstream's Presburger library. It decides over all integers whether two sets
// are equal, and counts no unions exactly: sizes are compared with its membership, point by point.
#include "PresburgerOracle.h"
#include "core/analysis/sets/AffineImage.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using mlir::presburger::PresburgerSet;

namespace {

class PresburgerOracle : public testing::Test {
protected:
  int64_t pick(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random_); }

  /// An interval or a strided one, sometimes both.
  IntSet someSet() {
    IntSet interval = IntSet::interval(pick(-6, 6), pick(-2, 9));
    IntSet strided = IntSet::strided(pick(-6, 6), pick(0, 5), pick(1, 4));
    switch (pick(0, 3)) {
    case 0:
      return interval.unite(strided);
    case 1:
      return interval;
    default:
      return strided;
    }
  }
  Product someBox(unsigned rank) {
    Product box;
    for (unsigned axis = 0; axis < rank; ++axis)
      box.push_back({.set = someSet(), .shift = {}});
    return box;
  }
  Region someRegion(unsigned rank, unsigned boxes) {
    Region region;
    for (unsigned box = 0; box < boxes; ++box)
      region.add(someBox(rank), events_);
    return region;
  }

  /// Each point in one product only, and none besides in the box around them and a margin.
  void expectSamePoints(const Region &ours, const PresburgerSet &expected) {
    EXPECT_TRUE(ours.isExact());
    EXPECT_EQ(countPoints(expected, ours, 2), ours.size());
  }
  /// Equal over all integers, too.
  void expectSame(const Region &ours, const PresburgerSet &expected) {
    expectSamePoints(ours, expected);
    EXPECT_TRUE(asPresburger(ours, expected.getNumVars()).isEqual(expected));
  }
  void expectSame(const IntSet &ours, const PresburgerSet &expected) {
    expectSame(Region::of({{.set = ours, .shift = {}}}), expected);
  }

  std::mt19937 random_{11};
  TileEvents events_;
  mlir::MLIRContext context_;
};

} // namespace

TEST_F(PresburgerOracle, SetsOfIntegers) {
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    IntSet a = someSet(), b = someSet();
    PresburgerSet x = asPresburger(a), y = asPresburger(b);
    expectSame(a.unite(b), x.unionSet(y));
    expectSame(a.intersect(b), x.intersect(y));
    expectSame(a.minus(b), x.subtract(y));
    EXPECT_EQ(a.containsAll(b), y.isSubsetOf(x));
  }
}

TEST_F(PresburgerOracle, ArithmeticOnSets) {
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context_), d1 = mlir::getAffineDimExpr(1, &context_);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    IntSet a = someSet(), b = someSet();
    int64_t divisor = pick(1, 5), factor = pick(0, 1) ? divisor : -divisor;
    PresburgerSet x = asPresburger(a);
    auto of = [&](mlir::AffineExpr expr) { return imageUnder(mlir::AffineMap::get(1, 0, expr), x); };
    expectSame(a.scaled(factor), of(d0 * factor));
    expectSame(a.shifted(factor), of(d0 + factor));
    expectSame(a.floorDiv(divisor), of(d0.floorDiv(divisor)));
    expectSame(a.modulo(divisor), of(d0 % divisor));
    Region both = Region::of({{.set = a, .shift = {}}, {.set = b, .shift = {}}});
    expectSame(a.plus(b), imageUnder(mlir::AffineMap::get(2, 0, d0 + d1), asPresburger(both, 2)));
  }
}

TEST_F(PresburgerOracle, RegionsOfStridedBoxes) {
  for (int round = 0; round < 18; ++round) {
    SCOPED_TRACE(round);
    unsigned rank = 1 + round % 3;
    Region a = someRegion(rank, 2), b = someRegion(rank, 1 + round % 2);
    Product box = someBox(rank);
    PresburgerSet x = asPresburger(a, rank), y = asPresburger(b, rank), z = asPresburger(Region::of(box), rank);
    Region sum = a, rest = a;
    sum.add(b, events_);
    expectSame(sum, x.unionSet(y));
    rest.subtract(box, events_);
    expectSame(rest, x.subtract(z));
    expectSame(a.intersect(b, events_), x.intersect(y));
  }
}

TEST_F(PresburgerOracle, ImagesUnderMaps) {
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context_), d1 = mlir::getAffineDimExpr(1, &context_),
                   d2 = mlir::getAffineDimExpr(2, &context_);
  std::vector<std::vector<mlir::AffineExpr>> results{
      {d0, d1},                                       // a projection
      {d2, d0 + d1},                                  // a window
      {d0 * 2 + d1, d2 * 3},                          // a strided one
      {d0, d0 + d1},                                  // a dimension that two results share
      {d0 + d1, d1 + d2},                             // two windows over one dimension
      {(d0 + d1 * 4).floorDiv(3), d2 % 3},            // parts of a tile
      {(d0 * 3 + d1).floorDiv(2), (d0 * 3 + d1) % 2}, // a reshape
      {d1.ceilDiv(2), d0 * -1 + 5},                   // rounded up, and backwards
      {d2 - d2.floorDiv(2) * 2, d1},                  // a remainder, spelled out
  };
  for (int round = 0; round < 36; ++round) {
    mlir::AffineMap map = mlir::AffineMap::get(3, 0, results[round % results.size()], &context_);
    SCOPED_TRACE(round % results.size());
    ASSERT_TRUE(hasKnownImage(map));
    Region points = someRegion(3, 1);
    // Point by point: presburger does not end on the equality of images of several dimensions.
    expectSamePoints(imageOf(map, points, events_), imageUnder(map, asPresburger(points, 3)));
  }
}

TEST_F(PresburgerOracle, PositionsInRowMajorOrderAndBack) {
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context_);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    int64_t rows = pick(1, 6), columns = pick(1, 6);
    IntSet positions = IntSet::strided(pick(0, 4), pick(1, 9), pick(1, 4));
    positions = positions.intersect(IntSet::interval(0, rows * columns));
    Axis axis{.set = positions, .shift = {}};
    Region places;
    for (Product &product : delinearize(axis, {rows, columns}, events_))
      places.pieces.push_back(std::move(product));
    auto map = mlir::AffineMap::get(1, 0, {d0.floorDiv(columns), d0 % columns}, &context_);
    expectSame(places, imageUnder(map, asPresburger(axis.set)));
    Region back;
    for (const Product &product : places.pieces)
      back.add({linearize(product, {rows, columns})}, events_);
    expectSame(back, asPresburger(axis.set));
  }
}
