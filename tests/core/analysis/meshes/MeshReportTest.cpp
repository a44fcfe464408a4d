// Meshes, values and collectives of modules in each dialect, and of damaged ones.
#include "core/analysis/meshes/MeshReport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

message::MeshReport<> reportOf(Session &session, const std::string &text, bool mayFail = false) {
  auto read = session.readText(text, "test");
  if (!read) {
    std::string why = takeFailure(read.takeError()).message;
    EXPECT_TRUE(mayFail) << why;
    return {};
  }
  message::MeshReport<> report = reportMeshes(*read->module, [](mlir::Operation *, int64_t) { return 0; });
  EXPECT_FALSE(formatMeshReport(report, report.values.empty() ? -1 : 0).empty());
  return report;
}

message::MeshReport<> reportOf(const std::string &text) {
  Session session(allDialects());
  return reportOf(session, text);
}

constexpr const char *shardy = R"(
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x8xf32> {
  %0 = sdy.all_gather [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{}, {"y":(1)2}]> : tensor<16x8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {}], unreduced={"x"}> : tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}
)";

} // namespace

TEST(MeshReport, Shardy) {
  message::MeshReport<> report = reportOf(shardy);
  ASSERT_EQ(report.meshes.size(), 1u);
  ASSERT_EQ(report.collectives.size(), 5u);
  EXPECT_EQ(report.collectives[0].axes, std::vector<std::string>({"y"}));
  EXPECT_EQ(report.collectives[0].groupSize, 4);
  EXPECT_EQ(report.collectives[0].bytes, 256); // 8x8 on a device
  EXPECT_EQ(report.collectives[0].moved, 192);
  EXPECT_EQ(report.collectives[1].moved, 384);
  EXPECT_TRUE(report.collectives[4].isAnnotation);
  ASSERT_EQ(report.values.size(), 6u);
  EXPECT_EQ(report.layouts[size_t(report.values[0].layout)].shardBytes, 64);
  EXPECT_EQ(report.layouts[size_t(report.values[5].layout)].unreduced, std::vector<std::string>({"x"}));
}

/// The same in MLIR's generic form, as printers write it that know no custom form.
TEST(MeshReport, GenericForm) {
  message::MeshReport<> report = reportOf(R"(
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x8xf32> {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = #sdy<list_of_axis_ref_lists[{}, {"y"}]>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = "sdy.all_reduce"(%0) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, reduction_axes = #sdy<axis_ref_list{"y"}>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = "sdy.sharding_constraint"(%1) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %3 = stablehlo.add %2, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}
)");
  ASSERT_EQ(report.meshes.size(), 1u);
  EXPECT_EQ(report.meshes[0].name, "mesh");
  EXPECT_TRUE(report.problems.empty());
  ASSERT_EQ(report.collectives.size(), 3u);
  for (const auto &collective : report.collectives)
    EXPECT_EQ(collective.problem, "");
  EXPECT_EQ(report.collectives[0].moved, 192);
  ASSERT_EQ(report.values.size(), 5u);
  EXPECT_EQ(report.layouts[size_t(report.values[4].layout)].dims[0].shard, 4);
}

TEST(MeshReport, ShardAndMesh) {
  for (bool isOld : {false, true}) {
    std::string grid = isOld ? "mesh.mesh" : "shard.grid", space = isOld ? "mesh" : "shard",
                axes = space == "mesh" ? "mesh" : "grid";
    message::MeshReport<> report = reportOf(
        grid + " @g(shape = 2x4)\nfunc.func @f(%a: tensor<8x14xf32>) -> tensor<8x14xf32> {\n%s = " + space +
        ".sharding @g split_axes = [[], [1]] sharded_dims_offsets = [0, 2, 5, 9, 14] : !" + space +
        ".sharding\n%0 = " + space + ".shard %a to %s : tensor<8x14xf32>\n%1 = " + space + ".all_reduce %0 on @g " +
        axes + "_axes = [1] reduction = max : tensor<8x14xf32> -> tensor<8x14xf32>\nreturn %1 : tensor<8x14xf32>\n}\n");
    ASSERT_EQ(report.meshes.size(), 1u) << space;
    ASSERT_EQ(report.values.size(), 1u) << space;
    ASSERT_EQ(report.values[0].problem, "") << space;
    const auto &dim = report.layouts[size_t(report.values[0].layout)].dims[1];
    EXPECT_EQ(dim.ends, std::vector<int64_t>({2, 5, 9, 14})) << space;
    EXPECT_EQ(dim.shard, 5) << space;
    ASSERT_EQ(report.collectives.size(), 2u) << space;
    EXPECT_EQ(report.collectives[1].reduction, "max") << space;
    EXPECT_EQ(report.collectives[1].axes, std::vector<std::string>({"axis1"})) << space;
  }
}

TEST(MeshReport, GspmdOfSeveralResults) {
  message::MeshReport<> report = reportOf(R"(
func.func @f(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> tensor<8x8xf32> {
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "two", mhlo.sharding = "{{devices=[1,4]<=[4]}, {replicated}}"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<4xf32>)
  return %0#0 : tensor<8x8xf32>
}
)");
  ASSERT_EQ(report.values.size(), 3u);
  EXPECT_TRUE(report.meshes[0].isDerived);
  EXPECT_EQ(report.layouts[size_t(report.values[1].layout)].dims[1].shard, 2);
  EXPECT_EQ(report.layouts[size_t(report.values[2].layout)].tiles, 1);
}

TEST(MeshReport, NothingToSay) {
  message::MeshReport<> report =
      reportOf("func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }");
  EXPECT_TRUE(report.empty());
  EXPECT_EQ(findMeshValue(report, "%a"), -1);
}

/// Damaged modules that still parse are reported, with problems at most.
TEST(MeshReport, DamagedModules) {
  std::mt19937 random(3);
  Session session(allDialects());
  const std::string whole = shardy;
  for (int round = 0; round < 1500; ++round) {
    std::string text = whole;
    for (unsigned count = 1 + random() % 3; count > 0; --count) {
      size_t at = random() % text.size();
      if (random() % 2)
        text[at] = "[]{}<>(),:=\"@?#0123456789-xy"[random() % 29];
      else
        text.erase(at, 1 + random() % 5);
    }
    reportOf(session, text, true);
  }
}
