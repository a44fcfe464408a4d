// The traffic through a cache, against a cache that is simulated access by access.
#include "core/analysis/tiles/CacheTraffic.h"
#include "core/analysis/tiles/TileReport.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "tests/core/analysis/tiles/TiledOp.h"
#include <list>
#include <map>
#include <numeric>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// A fully associative cache of elements that evicts the one that was used longest ago.
class SimulatedCache {
public:
  using Element = std::pair<unsigned, int64_t>; ///< operand and place
  explicit SimulatedCache(size_t elements) : most_(elements) {}

  void use(Element element, bool writes) {
    auto found = places_.find(element);
    bool isDirty = writes;
    if (found != places_.end()) {
      isDirty |= found->second->second;
      order_.erase(found->second);
      places_.erase(found);
    } else {
      ++moved;
    }
    order_.push_front({element, isDirty});
    places_[element] = order_.begin();
    while (order_.size() > most_)
      evict();
  }
  void flush() {
    while (!order_.empty())
      evict();
  }
  int64_t moved = 0; ///< elements that were read from memory, or written to it

private:
  void evict() {
    moved += order_.back().second;
    places_.erase(order_.back().first);
    order_.pop_back();
  }
  size_t most_;
  std::list<std::pair<Element, bool>> order_;
  std::map<Element, std::list<std::pair<Element, bool>>::iterator> places_;
};

struct Op : TiledOp {
  using TiledOp::TiledOp;
  llvm::SmallVector<int64_t> domain() { return llvm::SmallVector<int64_t>(chain->root().domain); }

  double modelled(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order, int64_t elements) {
    return trafficThroughCache(*chain, sizes, order, elements * 4, 20000).bytes / 4;
  }

  /// Runs the op point by point, tile by tile.
  double simulated(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order, int64_t elements) {
    SimulatedCache cache(elements);
    llvm::SmallVector<int64_t> point(sizes.size()), first(sizes.size());
    walkTiles(cache, sizes, order, 0, first, point);
    cache.flush();
    return double(cache.moved);
  }

private:
  void walkTiles(SimulatedCache &cache, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order, size_t depth,
                 llvm::SmallVector<int64_t> &first, llvm::SmallVector<int64_t> &point) {
    if (depth == order.size())
      return walkPoints(cache, sizes, order, 0, first, point);
    const int64_t loop = order[depth];
    for (first[loop] = 0; first[loop] < chain->root().domain[loop]; first[loop] += sizes[loop])
      walkTiles(cache, sizes, order, depth + 1, first, point);
  }
  void walkPoints(SimulatedCache &cache, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order, size_t depth,
                  llvm::SmallVector<int64_t> &first, llvm::SmallVector<int64_t> &point) {
    if (depth == order.size())
      return touch(cache, point);
    const int64_t loop = order[depth], end = std::min(first[loop] + sizes[loop], chain->root().domain[loop]);
    for (point[loop] = first[loop]; point[loop] < end; ++point[loop])
      walkPoints(cache, sizes, order, depth + 1, first, point);
  }
  void touch(SimulatedCache &cache, llvm::ArrayRef<int64_t> point) {
    for (const auto [operand, map] : llvm::enumerate(op.getIndexingMapsArray())) {
      const llvm::SmallVector<int64_t> index = map.compose(point);
      const auto shape = mlir::cast<mlir::ShapedType>(op->getOperand(operand).getType()).getShape();
      int64_t place = 0;
      for (auto [at, size] : llvm::zip_equal(index, shape))
        place = place * size + at;
      cache.use({unsigned(operand), place}, int64_t(operand) >= op.getNumDpsInputs());
    }
  }
};

constexpr llvm::StringLiteral matmul = R"(
func.func @f(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>, %c: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %mm = linalg.matmul ins(%a, %b : tensor<24x32xf32>, tensor<32x40xf32>)
      outs(%c : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %mm : tensor<24x40xf32>
})";

constexpr llvm::StringLiteral window = R"(
func.func @f(%a: tensor<20x18xf32>, %w: tensor<3x3xf32>, %i: tensor<18x16xf32>) -> tensor<18x16xf32> {
  %y = linalg.conv_2d ins(%a, %w : tensor<20x18xf32>, tensor<3x3xf32>) outs(%i : tensor<18x16xf32>) -> tensor<18x16xf32>
  return %y : tensor<18x16xf32>
})";

} // namespace

/// A simulated cache of twice the size moves no more than the model says, one of the same size hardly less.
TEST(CacheTraffic, MatmulAsSimulated) {
  Op op(matmul, "linalg.matmul");
  const std::vector<llvm::SmallVector<int64_t>> sizes{{24, 40, 32}, {8, 8, 8}, {4, 40, 1}, {8, 20, 32}, {1, 1, 1}};
  const std::vector<llvm::SmallVector<int64_t>> orders{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
  for (const auto &tile : sizes)
    for (const auto &order : orders)
      for (const int64_t elements : {4, 100, 250, 400, 2000, 5000}) {
        const double got = op.modelled(tile, order, elements);
        const std::string where = std::to_string(tile[0]) + "x" + std::to_string(tile[1]) + "x" +
                                  std::to_string(tile[2]) + ", outer loop d" + std::to_string(order[0]) + ", " +
                                  std::to_string(elements) + " elements";
        EXPECT_LE(op.simulated(tile, order, 2 * elements), 1.01 * got) << where;
        EXPECT_GE(op.simulated(tile, order, elements), 0.85 * got) << where;
      }
}

TEST(CacheTraffic, WindowAsSimulated) {
  Op op(window, "linalg.conv_2d");
  const llvm::SmallVector<int64_t> order{0, 1, 2, 3};
  for (const llvm::SmallVector<int64_t> &tile :
       {llvm::SmallVector<int64_t>{18, 16, 3, 3}, llvm::SmallVector<int64_t>{6, 4, 3, 3}})
    for (const int64_t elements : {90, 130, 1000}) {
      const double got = op.modelled(tile, order, elements);
      EXPECT_LE(op.simulated(tile, order, 2 * elements), 1.01 * got) << tile[0] << ", " << elements << " elements";
      EXPECT_GE(op.simulated(tile, order, elements), 0.85 * got) << tile[0] << ", " << elements << " elements";
    }
}

/// By hand: B is read for each row of A if it does not fit, and once if it does.
TEST(CacheTraffic, MatmulByHand) {
  Op op(matmul, "linalg.matmul");
  const int64_t m = 24, n = 40, k = 32;
  const llvm::SmallVector<int64_t> order{0, 1, 2};
  EXPECT_EQ(op.modelled(op.domain(), order, 10000), double(m * k + k * n + 2 * m * n));
  EXPECT_EQ(op.modelled(op.domain(), order, 200), double(m * k + m * k * n + 2 * m * n));
  EXPECT_EQ(op.modelled(op.domain(), order, 20), double(m * k * n + m * k * n + 2 * m * n));
  // Tiles of 8 x 8 whole in K: a row of tiles keeps its rows of A.
  EXPECT_EQ(op.modelled({8, 8, k}, order, 600), double(m * k + m / 8 * k * n + 2 * m * n));
}

/// A cache that holds everything is what reports assume of whole ops; without a cache nothing changes.
TEST(CacheTraffic, InReports) {
  Op op(matmul, "linalg.matmul");
  auto without = reportTile(*op.chain, {.sizes = {8, 8, 8}, .tile = {}, .order = {}});
  auto with = reportTile(*op.chain, {.sizes = {8, 8, 8}, .tile = {}, .order = {}, .cache = 1 << 20});
  ASSERT_TRUE(without && with);
  EXPECT_EQ(with->untiled.bytes, without->untiled.bytes);
  EXPECT_EQ(with->tiled.bytes, without->untiled.bytes);
  EXPECT_GT(without->tiled.bytes, without->untiled.bytes);
  EXPECT_EQ(with->tiled.flops, without->tiled.flops);
  ASSERT_EQ(without->assumptions.size(), 2u);
  EXPECT_NE(without->assumptions[0].find("holds everything"), std::string::npos);
  ASSERT_EQ(with->assumptions.size(), 2u);
  EXPECT_NE(with->assumptions[0].find("everything moves once"), std::string::npos);
}

/// Of a chain, tiles that do not fit are not modelled, and the report says so.
TEST(CacheTraffic, ChainThatDoesNotFit) {
  constexpr llvm::StringLiteral text = R"(
func.func @f(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<24x32xf32>, tensor<32x40xf32>)
      outs(%fill : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %mm : tensor<24x40xf32>
})";
  Op op(text, "linalg.matmul", true);
  ASSERT_GT(op.chain->nodes.size(), 1u);
  const CacheTraffic small = trafficThroughCache(*op.chain, op.domain(), {0, 1, 2}, 1024, 20000);
  EXPECT_EQ(small.bytes, -1);
  EXPECT_NE(small.note.find("does not hold"), std::string::npos);
  const CacheTraffic large = trafficThroughCache(*op.chain, op.domain(), {0, 1, 2}, 1 << 20, 20000);
  EXPECT_EQ(large.bytes, 4.0 * (24 * 32 + 32 * 40 + 24 * 40)); // the zeros are not read
  // Each part of K reads what the one before has stored, but for the first: 4 parts, loops over K outside.
  const CacheTraffic parts = trafficThroughCache(*op.chain, {8, 8, 8}, {2, 0, 1}, 1024, 20000);
  EXPECT_EQ(parts.bytes, 4.0 * (24 * 32 + 3 * 32 * 40 + (4 + 3) * 24 * 40));
}
