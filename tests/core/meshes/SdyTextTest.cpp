// Shardy's attributes, in each form that MLIR prints.
#include "core/meshes/SdyText.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>

using namespace fuselage;

static std::string problemOf(llvm::Error error) {
  return error ? takeFailure(std::move(error)).message : std::string();
}

TEST(SdyText, Meshes) {
  auto mesh = readSdyMesh("#sdy.mesh<[\"x\"=2, \"y\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>");
  ASSERT_TRUE(bool(mesh)) << problemOf(mesh.takeError());
  EXPECT_EQ(mesh->str(), "x=2 x y=4");
  EXPECT_EQ(mesh->count(), 8);
  EXPECT_EQ(mesh->deviceAt(0), 7);
  EXPECT_EQ(mesh->coordinate(5, 0), 1);
  EXPECT_EQ(mesh->coordinate(5, 1), 1);
  for (const char *text : {"<[]>", "#sdy<mesh <[\"a\"=1]>>", "mesh<[\"a\"=2, \"b\"=1]>", "<[], device_ids=[0]>"})
    EXPECT_EQ(problemOf(readSdyMesh(text).takeError()), "") << text;
}

TEST(SdyText, Shardings) {
  auto sharding = readSdySharding(
      "#sdy.sharding<@mesh, [{\"a\":(1)2, \"b\", ?}p1, {?}, {}], replicated={\"c\"}, unreduced={\"d\", \"e\":(2)2}>");
  ASSERT_TRUE(bool(sharding)) << problemOf(sharding.takeError());
  EXPECT_EQ(sharding->meshName, "mesh");
  EXPECT_EQ(formatSharding(sharding->sharding, sharding->meshName),
            "@mesh [{a:(1)2, b, ?}, {?}, {}] replicated {c} unreduced {d, e:(2)2}");
  auto list = readSdyShardings("#sdy.sharding_per_value<[<mesh<[\"a\"=2]>, [{\"a\"}, {}]>, <@\"odd name\", []>]>");
  ASSERT_TRUE(bool(list)) << problemOf(list.takeError());
  ASSERT_EQ(list->size(), 2u);
  EXPECT_TRUE((*list)[0].mesh.has_value());
  EXPECT_EQ((*list)[1].meshName, "odd name");
  auto moves = readSdyMoves("[{\"x\"}: 0->2, {\"y\":(1)2, \"z\"}: 1->3]");
  ASSERT_TRUE(bool(moves)) << problemOf(moves.takeError());
  EXPECT_EQ((*moves)[1].to, 3);
  EXPECT_EQ((*moves)[1].axes.size(), 2u);
}

TEST(SdyText, ProblemsSayWhere) {
  EXPECT_EQ(problemOf(readSdySharding("#sdy.sharding<@mesh, [{\"a\"}").takeError()),
            "in '<@mesh, [{\"a\"}', ',' or ']' is expected where its end is");
  EXPECT_EQ(problemOf(readSdyMesh("<[\"a\"=70000, \"b\"=2]>").takeError()),
            "the mesh makes no sense: it has more than 65536 devices");
  EXPECT_EQ(problemOf(readSdyMesh("<[\"a\"=2, \"a\"=2]>").takeError()),
            "the mesh makes no sense: two axes are named 'a'");
  EXPECT_EQ(problemOf(readSdyMesh("<[\"a\"=2], device_ids=[1, 1]>").takeError()),
            "the mesh makes no sense: a device id is negative or there twice");
  // How bytecode of another Shardy is shown.
  EXPECT_NE(problemOf(readSdySharding("#sdy.unread").takeError()), "");
}
