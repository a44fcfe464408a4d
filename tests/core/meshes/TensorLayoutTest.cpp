// Parts of tensors by place of a mesh: beside a computation by definition, on random shardings.
#include "core/meshes/RingBytes.h"
#include "core/meshes/SdyText.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace fuselage;

static std::string problemOf(llvm::Error error) {
  return error ? takeFailure(std::move(error)).message : std::string();
}

static TensorLayout layout(const DeviceMesh &mesh, llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
  auto sharding = readSdySharding(text);
  EXPECT_TRUE(bool(sharding));
  auto result = layoutOf(mesh, sharding->sharding, shape);
  if (!result) {
    ADD_FAILURE() << problemOf(result.takeError());
    return {};
  }
  return *result;
}

static const DeviceMesh mesh{.name = "m", .axes = {{"x", 2}, {"y", 4}}};

TEST(TensorLayout, SplitsAndPads) {
  TensorLayout split = layout(mesh, "<@m, [{\"y\"}, {}], unreduced={\"x\"}>", {10, 3});
  EXPECT_EQ(split.parts, std::vector<int64_t>({4, 1}));
  EXPECT_EQ(split.shard, std::vector<int64_t>({3, 3}));
  EXPECT_TRUE(split.isPadded(0));
  EXPECT_EQ(split.range(0, 0), std::make_pair(int64_t(0), int64_t(3)));
  EXPECT_EQ(split.range(0, 3), std::make_pair(int64_t(9), int64_t(10)));
  EXPECT_EQ(split.unreduced.front().str(), "x");
  EXPECT_TRUE(split.replicated.empty());
  // Fewer rows than parts: the last ones have none.
  EXPECT_EQ(layout(mesh, "<@m, [{\"x\", \"y\"}]>", {5}).range(0, 7), std::make_pair(int64_t(5), int64_t(5)));
  EXPECT_EQ(layout(mesh, "<@m, [{\"x\"}]>", {-1}).shardElements(), -1);
}

TEST(TensorLayout, PartsOfAxes) {
  // y of 4 as 2 x 2: the inner part is the coordinate's remainder.
  TensorLayout inner = layout(mesh, "<@m, [{\"y\":(2)2}]>", {8});
  EXPECT_EQ(inner.tiles[0][0], 0);
  EXPECT_EQ(inner.tiles[1][0], 1);
  EXPECT_EQ(inner.tiles[2][0], 0);
  EXPECT_EQ(layout(mesh, "<@m, [{\"y\":(1)2}]>", {8}).tiles[2][0], 1);
  ASSERT_EQ(inner.replicated.size(), 2u);
  EXPECT_EQ(inner.replicated[1].str(), "y:(1)2");
}

TEST(TensorLayout, Refusals) {
  auto problem = [](llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
    auto sharding = readSdySharding(text);
    return problemOf(layoutOf(mesh, sharding->sharding, shape).takeError());
  };
  EXPECT_EQ(problem("<@m, [{\"z\"}]>", {8}), "the mesh @m has no axis 'z'");
  EXPECT_EQ(problem("<@m, [{\"x\"}, {\"x\"}]>", {8, 8}), "axis 'x' is used twice");
  EXPECT_EQ(problem("<@m, [{\"y\":(1)2}, {\"y\"}]>", {8, 8}), "axis 'y' is used twice");
  EXPECT_EQ(problem("<@m, [{\"y\":(1)3}]>", {8}), "axis 'y' of size 4 has no part y:(1)3");
  EXPECT_EQ(problem("<@m, [{}, {}]>", {8}), "the sharding has 2 dimensions, the tensor 1");
}

/// On random meshes and shardings, parts of one dimension are what the axes' coordinates say in mixed radix, every
/// element is on some device, and devices along axes that split nothing have the same.
TEST(TensorLayout, RandomShardings) {
  std::mt19937 random(7);
  auto pick = [&](int64_t below) { return int64_t(random() % uint32_t(below)); };
  for (int round = 0; round < 2000; ++round) {
    DeviceMesh grid{.name = "g", .axes = {}};
    const int64_t rank = 1 + pick(4);
    for (int64_t axis = 0; axis < rank; ++axis)
      grid.axes.push_back({std::string(1, char('a' + axis)), 1 + pick(4)});
    std::vector<int64_t> shape;
    Sharding sharding;
    for (int64_t dim = 0; dim < 1 + pick(3); ++dim) {
      shape.push_back(1 + pick(20));
      sharding.dims.emplace_back();
    }
    std::vector<int> dimOf(grid.axes.size(), -1);
    for (size_t axis = 0; axis < grid.axes.size(); ++axis)
      if (pick(3) > 0) {
        dimOf[axis] = int(pick(int64_t(shape.size())));
        sharding.dims[size_t(dimOf[axis])].axes.push_back({.axis = grid.axes[axis].name});
      }
    auto computed = layoutOf(grid, sharding, shape);
    ASSERT_TRUE(bool(computed)) << problemOf(computed.takeError());
    std::vector<std::map<int64_t, int>> held(shape.size());
    for (int64_t place = 0; place < grid.count(); ++place) {
      std::vector<int64_t> expected(shape.size());
      for (size_t axis = 0; axis < grid.axes.size(); ++axis)
        if (dimOf[axis] >= 0)
          expected[size_t(dimOf[axis])] =
              expected[size_t(dimOf[axis])] * grid.axes[axis].size + grid.coordinate(place, unsigned(axis));
      EXPECT_EQ(computed->tiles[size_t(place)], expected);
      for (unsigned dim = 0; dim < shape.size(); ++dim) {
        auto [begin, end] = computed->range(dim, expected[dim]);
        EXPECT_LE(end - begin, computed->shard[dim]);
        for (int64_t element = begin; element < end; ++element)
          ++held[dim][element];
      }
    }
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      EXPECT_EQ(int64_t(held[dim].size()), shape[dim]);
      std::set<std::string> found, wanted;
      for (const AxisRef &axis : findAxes(grid, *computed, dim))
        found.insert(axis.axis);
      for (size_t axis = 0; axis < grid.axes.size(); ++axis)
        if (dimOf[axis] == int(dim) && grid.axes[axis].size > 1)
          wanted.insert(grid.axes[axis].name);
      EXPECT_EQ(found, wanted);
    }
  }
}

TEST(RingBytes, Factors) {
  const int64_t mib = 1 << 20;
  EXPECT_EQ(ringBytes(CollectiveKind::AllReduce, 16 * mib, 4).bytes, 24 * mib);
  EXPECT_EQ(ringBytes(CollectiveKind::AllGather, 16 * mib, 4).bytes, 12 * mib);
  EXPECT_EQ(ringBytes(CollectiveKind::ReduceScatter, 16 * mib, 4).bytes, 12 * mib);
  EXPECT_EQ(ringBytes(CollectiveKind::Permute, 16 * mib, 4).bytes, 16 * mib);
  EXPECT_EQ(ringBytes(CollectiveKind::AllSlice, 16 * mib, 4).bytes, 0);
  EXPECT_EQ(ringBytes(CollectiveKind::AllReduce, 16 * mib, 1).bytes, 0);
  EXPECT_EQ(ringBytes(CollectiveKind::AllReduce, -1, 4).bytes, -1);
  EXPECT_EQ(ringBytes(CollectiveKind::AllReduce, mib, 4).formula, "2*(n-1)/n of {0}, n = 4");
}
