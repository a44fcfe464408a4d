// tune/worker, tune/trial, and runs with what was tuned, asked of the real process.
#include "core/stepping/tool/ToolProcess.h"
#include "tests/core/engine/EngineProcess.h"
#include <fstream>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

constexpr const char *payload = R"(
func.func @f(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %mm = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %mm : tensor<16x16xf32>
})";

TEST(TrialMethods, MeasurePointsOfADispatch) {
  EngineProcess engine;
  Object device = engine.call("tune/worker");
  EXPECT_EQ(device.getString("id"), "host");
  EXPECT_TRUE(device.getString("model")->contains("\"version\""));
  EXPECT_TRUE(llvm::StringRef(*engine.callError("tune/trial", Object{{"point", Object{}}}).getString("message"))
                  .contains("send tune/worker"));

  EXPECT_EQ(engine.call("tune/worker", Object{{"payload", payload}}).getString("name"), device.getString("name"));
  Object pipelines{{"rows", "0"}, {"vectors", "0"}, {"task_rows", "0"}},
      ours{{"rows", "2"}, {"vectors", "1"}, {"task_rows", "8"}};
  Object first = engine.call("tune/trial", Object{{"point", Object(pipelines)}, {"rounds", 3}});
  EXPECT_EQ(first.getString("status"), "ok");
  EXPECT_EQ(first.getArray("us")->size(), 3u);
  EXPECT_TRUE(first.getArray("baseline_us")->empty());
  EXPECT_FALSE(first.get("spent"));
  Object second =
      engine.call("tune/trial", Object{{"point", Object(ours)}, {"baseline", Object(pipelines)}, {"rounds", 4}});
  EXPECT_EQ(second.getString("status"), "ok");
  EXPECT_EQ(second.getArray("us")->size(), second.getArray("baseline_us")->size());
  EXPECT_NE(second.getString("kernel"), first.getString("kernel"));
  // The host's code is known again, too.
  Object known =
      engine.call("tune/trial", Object{{"point", Object(ours)}, {"known", Array{*second.getString("kernel")}}});
  EXPECT_EQ(known.getString("status"), "duplicate");
  EXPECT_EQ(known.getString("kernel"), second.getString("kernel"));
  EXPECT_EQ(engine.call("tune/trial", Object{{"point", Object{{"columns", "2"}}}}).getString("status"), "failed");
}

TEST(TrialMethods, RefuseWhatIsNoSubject) {
  EngineProcess engine;
  EXPECT_TRUE(llvm::StringRef(*engine.callError("tune/worker", Object{{"device", "vulkan:99"}}).getString("message"))
                  .contains("vulkan:99"));
  engine.callError("tune/worker", Object{{"payload", "func.func @f("}});
  engine.callError("tune/worker", Object{{"payload", 7}});
  engine.call("tune/worker", Object{{"payload", payload}});
  engine.callError("tune/trial", Object{{"point", Object{}}, {"limit", -1}});
  EXPECT_EQ(engine.call("tune/worker", Object{{"payload", payload}, {"function", "f"}}).getString("id"), "host");
}

TEST(TrialMethods, RunWithALibrary) {
  auto folder = ToolFolder::make();
  ASSERT_TRUE(bool(folder));
  std::string file = (*folder)->file("in.mlir"), library = (*folder)->file("tuned.json");
  std::ofstream(file) << payload;
  std::ofstream(library) << "{";
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file}});
  Object run{{"device", "host"}, {"repeat", 1}, {"warmup", 0}, {"tuned", library}};
  EXPECT_TRUE(llvm::StringRef(*engine.callError("run/start", Object(run)).getString("message")).contains("is damaged"));
  run["tuned"] = "none";
  Object report = engine.call("run/start", Object(run));
  EXPECT_EQ(report.getBoolean("ok"), true);
  EXPECT_FALSE((*report.getArray("kernels"))[0].getAsObject()->get("tuned"));
}

} // namespace
} // namespace fuselage::test
