// tiles/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// An engine with a sample open.
struct Tiling : EngineProcess {
  explicit Tiling(llvm::StringRef name) {
    call("document/open", Object{{"path", std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + name.str()}});
  }
  /// The id of the first node of the graph that is such an op.
  int64_t idOf(llvm::StringRef op) {
    Object scene = call("graph/scene", Object{{"snapshot", 0}, {"foldConstants", false}});
    for (const llvm::json::Value &node : *scene.getArray("nodes")) {
      int64_t id = *node.getAsObject()->getInteger("id");
      if (id >= 0 && call("op/details", Object{{"snapshot", 0}, {"id", id}}).getString("op") == op)
        return id;
    }
    ADD_FAILURE() << "there is no " << op.str();
    return 0;
  }
};

} // namespace

TEST(TileMethods, DomainsHaveLoopsWithDivisors) {
  Tiling engine("matmul_transpose_bias.mlir");
  Object domain = engine.call("tiles/domain", Object{{"snapshot", 0}, {"id", engine.idOf("linalg.matmul")}});
  EXPECT_EQ(domain.getString("why"), "");
  ASSERT_EQ(domain.getArray("loops")->size(), 3u);
  const Object &last = *(*domain.getArray("loops"))[2].getAsObject();
  EXPECT_EQ(last.getString("iterator"), "reduction");
  EXPECT_EQ(last.getInteger("range"), 768);
  EXPECT_EQ(last.getArray("divisors")->size(), 18u);
  EXPECT_EQ(domain.getArray("producers")->size(), 2u);
}

TEST(TileMethods, FootprintsFollowSizesAndFusion) {
  Tiling engine("matmul_transpose_bias.mlir");
  int64_t id = engine.idOf("linalg.matmul");
  Object request{{"snapshot", 0}, {"id", id}, {"sizes", Array{32, 64, 768}}, {"tile", Array{1, 2, 0}}, {"tag", "t"}};
  Object fused = engine.call("tiles/footprint", Object(request));
  EXPECT_EQ(fused.getInteger("tiles"), 4 * 12);
  EXPECT_EQ(fused.getInteger("tile_number"), 14);
  EXPECT_EQ(fused.getArray("producers")->size(), 2u);
  int64_t kept = *(*fused.getArray("producers"))[0].getAsObject()->getInteger("id");
  request["kept"] = Array{kept};
  EXPECT_EQ(engine.call("tiles/footprint", Object(request)).getArray("producers")->size(), 1u);
  request["sizes"] = Array{32, 64, 768, 1};
  EXPECT_NE(engine.callError("tiles/footprint", Object(request)).getString("message")->find("4 tile sizes for 3 loops"),
            llvm::StringRef::npos);
  request["sizes"] = "all";
  EXPECT_EQ(engine.callError("tiles/footprint", Object(request)).getInteger("code"), -32602);
}

TEST(TileMethods, TracesNameTheMethods) {
  Tiling engine("matmul_transpose_bias.mlir");
  Object trace = engine.call(
      "tiles/trace", Object{{"snapshot", 0}, {"id", engine.idOf("linalg.matmul")}, {"sizes", Array{32, 64, 0}}});
  bool sawProducer = false;
  for (const llvm::json::Value &event : *trace.getArray("events"))
    sawProducer |= event.getAsObject()->getString("method") == "generateResultTileValue";
  EXPECT_TRUE(sawProducer);
  EXPECT_NE(trace.getString("function")->find("scf.for"), llvm::StringRef::npos);
}

TEST(TileMethods, OpsWithoutTilesSayWhy) {
  Tiling engine("dynamic_matmul.mlir");
  EXPECT_NE(engine.call("tiles/domain", Object{{"snapshot", 0}, {"id", 0}}).getString("why"), "");
  EXPECT_NE(engine.callError("tiles/domain", Object{{"snapshot", 0}, {"id", -1}}).getString("message")->find("value"),
            llvm::StringRef::npos);
}

TEST(TileMethods, DynamicSizesAreGivenOrChosen) {
  Tiling engine("dynamic_matmul.mlir");
  int64_t matmul = engine.idOf("linalg.matmul");
  Object request{{"snapshot", 0}, {"id", matmul}};
  Object chosen = engine.call("tiles/domain", Object(request));
  ASSERT_EQ(chosen.getArray("loops")->size(), 3u);
  EXPECT_EQ(chosen.getInteger("id"), matmul); // as in the snapshot, not in the copy
  request["dimensions"] = Object{{"arg0.0", 96}, {"arg7.3", 5}};
  Object given = engine.call("tiles/domain", Object(request));
  EXPECT_EQ((*given.getArray("loops"))[0].getAsObject()->getInteger("range"), 96);
  Object footprint = engine.call("tiles/footprint", Object(request));
  std::string notes;
  for (const llvm::json::Value &note : *footprint.getArray("notes"))
    notes += note.getAsString()->str() + ";";
  EXPECT_NE(notes.find("dynamic sizes: arg0.0 = 96"), std::string::npos) << notes;
  EXPECT_EQ(notes.find("arg7.3"), std::string::npos) << notes;
}

TEST(TileMethods, AnotherDocumentForgetsTheOp) {
  Tiling engine("matmul_transpose_bias.mlir");
  Object request{{"snapshot", 0}, {"id", engine.idOf("linalg.matmul")}, {"sizes", Array{32}}};
  engine.call("tiles/footprint", Object(request));
  engine.call("document/open", Object{{"path", FUSELAGE_SOURCE_DIR "/samples/softmax.mlir"}});
  engine.call("document/open", Object{{"path", FUSELAGE_SOURCE_DIR "/samples/matmul_transpose_bias.mlir"}});
  EXPECT_EQ(engine.call("tiles/footprint", Object(request)).getInteger("tiles"), 4);
}

} // namespace fuselage::test
