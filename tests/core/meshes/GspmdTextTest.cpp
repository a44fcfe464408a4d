// GSPMD's shardings, in each form that XLA prints.
#include "core/meshes/GspmdText.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>

using namespace fuselage;

static std::string problemOf(llvm::Error error) {
  return error ? takeFailure(std::move(error)).message : std::string();
}

static std::vector<GspmdSharding> read(llvm::StringRef text) {
  auto shardings = readGspmdShardings(text);
  EXPECT_TRUE(bool(shardings)) << text.str();
  if (!shardings) {
    ADD_FAILURE() << problemOf(shardings.takeError());
    return {};
  }
  return *shardings;
}

TEST(GspmdText, Devices) {
  EXPECT_EQ(read("{devices=[2,4]<=[8]}").front().devices, std::vector<int64_t>({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(read("{devices=[4,2]<=[2,4]T(1,0)}").front().devices, std::vector<int64_t>({0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(read("{devices=[2,2]3,2,1,0}").front().devices, std::vector<int64_t>({3, 2, 1, 0}));
  EXPECT_EQ(read("{devices=[2,1,4]<=[8] last_tile_dim_replicate}").front().rank(), 2u);
  EXPECT_EQ(read("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}").front().rank(), 1u);
  EXPECT_EQ(read("{maximal device=3}").front().device, 3);
  EXPECT_EQ(read("{replicated metadata={op_name=\"a}b\"}}").front().kind, GspmdSharding::Kind::Replicated);
  EXPECT_EQ(read("{{manual}, {replicated}, {devices=[2]<=[2]}}").size(), 3u);
  EXPECT_NE(problemOf(readGspmdShardings("{devices=[2,4]<=[4]}").takeError()), "");
  EXPECT_NE(problemOf(readGspmdShardings("{devices=[2,2]0,1,2,2}").takeError()), "");
  EXPECT_NE(problemOf(readGspmdShardings("{devices=[9999999,999999]<=[8]}").takeError()), "");
  EXPECT_NE(problemOf(readGspmdShardings("{twisted}").takeError()), "");
}

/// Shardings of one program have a mesh in common, on which each dimension is split along whole axes.
TEST(GspmdText, MeshInCommon) {
  std::vector<GspmdSharding> all;
  for (const char *text : {"{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
                           "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "{replicated}"})
    all.push_back(read(text).front());
  auto mesh = findGspmdMesh(all);
  ASSERT_TRUE(mesh.has_value());
  EXPECT_EQ(mesh->str(), "axis0=2 x axis1=4");
  auto layout = layoutOf(*mesh, all[1], {64, 256});
  ASSERT_TRUE(bool(layout)) << problemOf(layout.takeError());
  EXPECT_EQ(layout->shard, std::vector<int64_t>({64, 64}));
  ASSERT_EQ(layout->axes[1].size(), 1u);
  EXPECT_EQ(layout->axes[1].front().str(), "axis1");
  ASSERT_EQ(layout->replicated.size(), 1u);
  EXPECT_EQ(layout->replicated.front().str(), "axis0");
  EXPECT_EQ(layout->tiles[5][1], 1); // device 5 is at 1, 1
  EXPECT_FALSE(findGspmdMesh({}).has_value());
}
