// What really tiling an op shows of the interface methods.
#include "core/analysis/tiles/TileTrace.h"
#include "core/analysis/tiles/FindTileOp.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

using namespace fuselage;

static constexpr llvm::StringLiteral chain = R"(
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %x = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %y = linalg.broadcast ins(%b : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0]
  %z = linalg.add ins(%t, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
})";

static llvm::Expected<TileTrace> trace(mlir::ModuleOp module, llvm::StringRef name, llvm::ArrayRef<int64_t> sizes,
                                       bool fuse) {
  mlir::AsmState names(module);
  auto found = findTileOp(module, name, names);
  if (!found)
    return found.takeError();
  return traceTiling(
      found->op, sizes, {}, [&](mlir::Operation *) { return fuse; },
      [&](mlir::Value value) {
        std::string text;
        llvm::raw_string_ostream os(text);
        value.printAsOperand(os, names);
        return text;
      });
}

TEST(TileTrace, NamesTheMethodsAndWhatTheyMade) {
  Session session(allDialects());
  auto module = session.parse(chain, "t.mlir");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  std::string before;
  llvm::raw_string_ostream(before) << **module;
  auto traced = trace(**module, "linalg.add", {16, 32}, true);
  ASSERT_TRUE(bool(traced)) << llvm::toString(traced.takeError());
  std::vector<std::string> methods, producers;
  for (const TileTraceEvent &event : traced->events) {
    methods.push_back(event.method);
    EXPECT_FALSE(event.ir.empty()) << event.method;
    if (event.method == "generateResultTileValue") {
      producers.push_back(event.op);
      EXPECT_NE(event.slice.find("tensor.extract_slice"), std::string::npos);
      EXPECT_EQ(event.maps.empty(), !llvm::StringRef(event.op).starts_with("linalg.")) << event.op;
    }
  }
  EXPECT_EQ(methods.at(methods.size() - 1), "generateResultTileValue");
  EXPECT_TRUE(llvm::is_contained(methods, "getTiledImplementation"));
  EXPECT_TRUE(llvm::is_contained(methods, "getResultTilePosition"));
  EXPECT_TRUE(llvm::is_contained(producers, "linalg.exp"));
  EXPECT_TRUE(llvm::is_contained(producers, "linalg.transpose"));
  EXPECT_TRUE(llvm::is_contained(producers, "linalg.broadcast"));
  EXPECT_NE(traced->function.find("scf.for"), std::string::npos);
  // Only the copy was touched.
  std::string after;
  llvm::raw_string_ostream(after) << **module;
  EXPECT_EQ(before, after);
}

TEST(TileTrace, RefusesWhatCannotBeTiled) {
  Session session(allDialects());
  auto module = session.parse(chain, "t.mlir");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  auto whole = trace(**module, "linalg.add", {0, 0}, true);
  EXPECT_NE(llvm::toString(whole.takeError()).find("every loop is whole"), std::string::npos);
}
