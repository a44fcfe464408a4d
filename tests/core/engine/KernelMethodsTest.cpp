// kernel/code, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include <fstream>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Object;

/// An engine with a sample open.
struct Kernels : EngineProcess {
  Kernels() {
    call("document/open", Object{{"path", std::string(FUSELAGE_SOURCE_DIR) + "/samples/matmul_transpose_bias.mlir"}});
  }
  /// The text of a stage; empty: there is none.
  std::string textOf(const Object &code, llvm::StringRef stage) {
    for (const llvm::json::Value &listing : *code.getArray("listings"))
      if (listing.getAsObject()->getString("stage") == stage)
        return listing.getAsObject()->getString("text")->str();
    return "";
  }
};

} // namespace

TEST(KernelMethods, CodeOfADispatchForEveryTarget) {
  Kernels engine;
  Object ptx = engine.call("kernel/code", Object{{"dispatch", "1"}, {"target", "ptx"}, {"chip", "sm_80"}});
  EXPECT_EQ(ptx.getInteger("dispatch_index"), 1);
  EXPECT_NE(engine.textOf(ptx, "ptx").find(".target sm_80"), std::string::npos);
  EXPECT_NE(engine.textOf(ptx, "linalg").find("linalg.matmul"), std::string::npos);
  Object spirv = engine.call("kernel/code", Object{{"dispatch", "1"}});
  EXPECT_NE(engine.textOf(spirv, "mapped").find("gpu.launch"), std::string::npos);
  EXPECT_FALSE(spirv.getArray("kernels")->empty());
  Object host = engine.call("kernel/code", Object{{"dispatch", "matmul_128x768x768"}, {"target", "host"}});
  EXPECT_NE(engine.textOf(host, "llvm").find("define "), std::string::npos);
}

TEST(KernelMethods, ChecksADispatchForRaces) {
  Kernels engine;
  Object check = engine.call("kernel/check", Object{{"dispatch", "0"}, {"target", "ptx"}});
  EXPECT_EQ(check.getBoolean("ok"), true);
  EXPECT_EQ(check.getInteger("compared"), 768 * 768);
  EXPECT_GT(*check.getInteger("accesses"), 768 * 768);
  EXPECT_TRUE(check.getArray("findings")->empty());
  EXPECT_EQ(engine.callError("kernel/check", Object{{"dispatch", "0"}, {"target", "host"}}).getInteger("code"), -32602);
}

TEST(KernelMethods, TheModuleAsWrittenIsCompiledNormalized) {
  // Upstream's folders crash on sizes that the type does not have, which normalization settles.
  const std::string path = testing::TempDir() + "/as_written.mlir";
  std::ofstream(path) << R"mlir(func.func @f(%a: tensor<?x?xbf16>, %o: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
    %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 4] : tensor<?x?xbf16> into tensor<?x?x?xbf16>
    %t = linalg.transpose ins(%e : tensor<?x?x?xbf16>) outs(%o : tensor<?x?x?xbf16>) permutation = [0, 2, 1]
    return %t : tensor<?x?x?xbf16>
  })mlir";
  EngineProcess engine;
  engine.call("document/open", Object{{"path", path}});
  engine.call("pipeline/record", Object{});
  for (int snapshot : {0, 1}) {
    Object code = engine.call("kernel/code", Object{{"dispatch", "0"}, {"snapshot", snapshot}});
    EXPECT_FALSE(code.getArray("kernels")->empty());
    engine.call("tune/space", Object{{"dispatch", "0"}, {"snapshot", snapshot}, {"device", "host"}});
  }
}

TEST(KernelMethods, SaysWhatIsWrong) {
  Kernels engine;
  EXPECT_NE(
      engine.callError("kernel/code", Object{{"dispatch", "9"}}).getString("message")->find("there is no dispatch '9'"),
      llvm::StringRef::npos);
  EXPECT_NE(engine.callError("kernel/code", Object{{"dispatch", "1"}, {"target", "ptx"}, {"chip", "gfx942"}})
                .getString("message")
                ->find("no chip of NVIDIA's"),
            llvm::StringRef::npos);
  EXPECT_EQ(engine.callError("kernel/code", Object{{"dispatch", "1"}, {"target", "tpu"}}).getInteger("code"), -32602);
  EXPECT_EQ(engine.callError("kernel/code", Object{}).getInteger("code"), -32602);
}

} // namespace fuselage::test
