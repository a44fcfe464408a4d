// Footprints are what execution touches: on random chains, shapes, maps and tiles.
#include "TouchedElements.h"
#include "RandomChain.h"
#include "core/analysis/tiles/TileTotals.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

mlir::Operation *lastOp(mlir::ModuleOp module) {
  mlir::func::FuncOp function = *module.getOps<mlir::func::FuncOp>().begin();
  return function.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
}

Elements elementsOf(const Region &region) {
  Elements elements;
  for (const Product &piece : region.pieces) {
    std::vector<std::vector<int64_t>> axes;
    llvm::SmallVector<int64_t> shape;
    for (const Axis &axis : piece) {
      axis.set.forEach([&, isNew = true](int64_t value) mutable {
        if (std::exchange(isNew, false))
          axes.emplace_back();
        axes.back().push_back(value);
      });
      shape.push_back(axes.back().size());
    }
    forEachIndex(shape, [&](llvm::ArrayRef<int64_t> index) {
      Element element;
      for (auto [axis, i] : llvm::zip_equal(axes, index))
        element.push_back(axis[i]);
      EXPECT_TRUE(elements.insert(std::move(element)).second) << "pieces overlap";
    });
  }
  return elements;
}

/// What a mismatch shows.
std::string show(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "at " << op->getName() << " sizes ";
  llvm::interleaveComma(sizes, os);
  os << " tile ";
  llvm::interleaveComma(tile, os);
  os << " of\n" << *op->getParentOp();
  return text;
}

void addTo(std::vector<int64_t> &sum, const std::vector<int64_t> &more) {
  sum.resize(more.size(), 0);
  for (auto [total, value] : llvm::zip_equal(sum, more))
    total += value;
}

/// Compares one tile with its execution.
void checkTile(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tile) {
  TileEvents events;
  TileFootprint exact = footprintOf(chain, sizes, tile, FootprintKind::Exact, events);
  TileFootprint slices = footprintOf(chain, sizes, tile, FootprintKind::Slices, events);
  mlir::Operation *root = chain.root().op;
  TouchedElements touched = touchElements(root, elementsOf(exact.tile), [&](mlir::Operation *op) {
    return llvm::any_of(chain.nodes, [&](const ChainNode &node) { return node.access->op == op; });
  });
  for (auto [index, node] : llvm::enumerate(chain.nodes)) {
    mlir::Operation *op = node.access->op;
    EXPECT_EQ(elementsOf(exact.points[index]), touched.points[op]) << show(op, sizes, tile);
    for (auto [number, input] : llvm::enumerate(node.access->inputs)) {
      EXPECT_TRUE(exact.inputs[index][number].isExact()) << show(op, sizes, tile);
      if (input.isRead) {
        EXPECT_EQ(elementsOf(exact.inputs[index][number]), (touched.inputs[{op, unsigned(number)}]))
            << show(op, sizes, tile);
        for (const Element &element : elementsOf(exact.inputs[index][number]))
          EXPECT_TRUE(slices.inputs[index][number].contains(element)) << show(op, sizes, tile);
      }
    }
    for (unsigned result = 0; result < op->getNumResults(); ++result)
      EXPECT_EQ(elementsOf(exact.results[index][result]), (touched.results[{op, result}])) << show(op, sizes, tile);
  }
}

/// Compares sums over all tiles with going through all tiles.
void checkTotals(const TileChain &chain, llvm::ArrayRef<int64_t> sizes) {
  TileCounts sum;
  TileSizes trips = tripCounts(chain.root().domain, sizes);
  int64_t largest = 0, tiles = 0;
  forEachIndex(trips, [&](llvm::ArrayRef<int64_t> tile) {
    TileEvents events;
    TileFootprint exact = footprintOf(chain, sizes, tile, FootprintKind::Exact, events);
    TileFootprint slices = footprintOf(chain, sizes, tile, FootprintKind::Slices, events);
    TileCounts counts = countTile(chain, exact, slices);
    addTo(sum.points, counts.points);
    addTo(sum.slicePoints, counts.slicePoints);
    addTo(sum.outside, counts.outside);
    addTo(sum.results, counts.results);
    largest = std::max(largest, counts.workgroupBytes);
    ++tiles;
  });
  TileTotals totals = sumTiles(chain, sizes);
  ASSERT_TRUE(totals.isComplete);
  EXPECT_EQ(totals.tiles, tiles);
  EXPECT_EQ(totals.sum.points, sum.points) << show(chain.root().op, sizes, {});
  EXPECT_EQ(totals.sum.slicePoints, sum.slicePoints) << show(chain.root().op, sizes, {});
  EXPECT_EQ(totals.sum.outside, sum.outside) << show(chain.root().op, sizes, {});
  EXPECT_EQ(totals.sum.results, sum.results) << show(chain.root().op, sizes, {});
  EXPECT_EQ(totals.sum.workgroupBytes, largest) << show(chain.root().op, sizes, {});
}

} // namespace

class RandomFootprints : public testing::TestWithParam<int> {};

TEST_P(RandomFootprints, AreWhatExecutionTouches) {
  Session session(allDialects());
  std::mt19937 random(GetParam());
  auto pick = [&](int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random); };
  int explored = 0;
  for (int round = 0; round < 60; ++round) {
    std::string text = randomChain(random, int(pick(1, 6)));
    auto module = session.parse(text, "random.mlir");
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError()) << text;
    mlir::Operation *root = lastOp(**module);
    auto chain = TileChain::build(root, {.fuse = pick(0, 3) > 0, .kept = {}});
    if (!chain) { // a rank of 0, or an op that the generator ends with and nothing models
      llvm::consumeError(chain.takeError());
      continue;
    }
    ++explored;
    TileSizes sizes;
    for (int64_t range : chain->root().domain)
      sizes.push_back(pick(1, range));
    TileSizes trips = tripCounts(chain->root().domain, sizes);
    for (int i = 0; i < 3; ++i) {
      TileSizes tile;
      for (int64_t count : trips)
        tile.push_back(pick(0, count - 1));
      checkTile(*chain, sizes, tile);
      if (HasFailure())
        return;
    }
    checkTotals(*chain, sizes);
    if (HasFailure())
      return;
  }
  EXPECT_GT(explored, 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFootprints, testing::Range(1, 25));
