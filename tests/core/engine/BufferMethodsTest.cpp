// buffers/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string sampleAt(llvm::StringRef name) { return std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + name.str(); }

TEST(BufferMethods, TheReportNamesOpsAndNodes) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", sampleAt("foreign/destructive_update_2020.mlir")}});
  Object report = engine.call("buffers/report", Object{{"snapshot", 0}});
  EXPECT_EQ(report.getInteger("snapshot"), 0);
  std::set<int64_t> ops;
  for (const llvm::json::Value &op : *report.getArray("ops")) {
    ops.insert(*op.getAsObject()->getInteger("id"));
    EXPECT_TRUE(op.getAsObject()->getInteger("line"));
  }
  unsigned copies = 0;
  for (const llvm::json::Value &value : *report.getArray("operands")) {
    const Object &operand = *value.getAsObject();
    EXPECT_TRUE(ops.count(*operand.getInteger("op")));
    if (operand.getBoolean("in_place") == true)
      continue;
    ++copies;
    const Object *conflict = operand.getObject("conflict");
    ASSERT_TRUE(conflict);
    EXPECT_TRUE(ops.count(*conflict->getObject("conflicting_write")->getInteger("op")));
    EXPECT_TRUE(ops.count(*conflict->getObject("last_write")->getInteger("op")));
  }
  EXPECT_EQ(copies, 2u);
}

TEST(BufferMethods, PeaksAloneAndPagesAndRefusals) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", sampleAt("softmax.mlir")}});
  Object peaks = engine.call("buffers/report", Object{{"snapshot", 0}, {"peaksOnly", true}});
  EXPECT_FALSE(peaks.get("operands"));
  EXPECT_GT(*peaks.getObject("peaks")->getObject("global")->getInteger("bytes"), 0);
  Object help = engine.call("buffers/help", Object{});
  EXPECT_EQ(help.getArray("reasons")->size(), 15u);
  Object page = engine.call("buffers/help", Object{{"reason", "LOOP_YIELD"}});
  EXPECT_TRUE(page.getArray("reasons")->front().getAsObject()->getString("page")->starts_with("# LOOP_YIELD"));
  auto said = [&](llvm::StringRef method, Object params) {
    Object error = engine.callError(method, std::move(params));
    return error.getString("message").value_or("").str();
  };
  EXPECT_NE(said("buffers/help", Object{{"reason", "NO_SUCH"}}).find("NO_SUCH"), std::string::npos);
  EXPECT_NE(said("buffers/report", Object{{"snapshot", 99}}).find("snapshot"), std::string::npos);
  EXPECT_NE(said("buffers/report", Object{{"snapshot", 0}, {"function", "nowhere"}}).find("nowhere"),
            std::string::npos);
}

} // namespace
} // namespace fuselage::test
