#include "core/reduce/cuts/Cuts.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

struct Cutting {
  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  explicit Cutting(const std::string &text) {
    auto parsed = session.parse(text, "input.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  /// At all places; then it has to verify and be smaller.
  std::string all(const PlacedCut &cut) {
    const double before = weightOf(*module);
    llvm::BitVector places(cut.count(*module), true);
    EXPECT_TRUE(cut.cut(*module, places));
    return smaller(before);
  }
  std::string at(const PlacedCut &cut, unsigned place) {
    const double before = weightOf(*module);
    llvm::BitVector places(cut.count(*module));
    places.set(place);
    EXPECT_TRUE(cut.cut(*module, places));
    return smaller(before);
  }
  /// Of each group the first that verifies.
  std::string first(const std::vector<std::vector<WholeCut>> &groups) {
    const double before = weightOf(*module);
    for (const std::vector<WholeCut> &group : groups)
      for (const WholeCut &cut : group) {
        OwningOpRef<ModuleOp> changed(module->clone());
        DiagnosticCapture capture(session.context());
        if (!cut.cut(*changed) || failed(verify(*changed)))
          continue;
        module = std::move(changed);
        break;
      }
    return smaller(before);
  }
  std::string smaller(double before) {
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_LT(weightOf(*module), before);
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }
};

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

TEST(Cuts, SizesChangeTogether) {
  Cutting cutting(R"(
func.func @main(%a: tensor<12x64xf32>, %i: tensor<768x96xf32>) -> tensor<96xf32> {
  %cst = arith.constant dense<1.0> : tensor<96xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<12x64xf32> into tensor<768xf32>
  %r = linalg.vecmat ins(%c, %i : tensor<768xf32>, tensor<768x96xf32>) outs(%cst : tensor<96xf32>) -> tensor<96xf32>
  return %r : tensor<96xf32>
})");
  const std::string text = cutting.first(sizeCuts(*cutting.module));
  EXPECT_TRUE(has(text, "tensor<1x1xf32> into tensor<1xf32>")) << text;
  EXPECT_TRUE(has(text, "dense<1.000000e+00> : tensor<1xf32>")) << text;
}

TEST(Cuts, SizesOfSlicesAndConstants) {
  Cutting cutting(R"(
func.func @main(%a: tensor<64x32xf64>, %m: memref<64xf64>) -> tensor<16x32xf64> {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf64>
  %s = tensor.extract_slice %a[0, 0] [16, 32] [1, 1] : tensor<64x32xf64> to tensor<16x32xf64>
  return %s : tensor<16x32xf64>
})");
  std::string text = cutting.first(sizeCuts(*cutting.module));
  EXPECT_TRUE(has(text, "[0, 0] [1, 1] [1, 1] : tensor<1x1xf64> to tensor<1x1xf64>")) << text;
  EXPECT_TRUE(has(text, "dense<1.000000e+00> : tensor<1xf64>")) << text;
  text = cutting.first(elementTypeCuts(*cutting.module));
  EXPECT_FALSE(has(text, "f64")) << text;
  EXPECT_TRUE(has(text, "memref<1xf32>")) << text;
}

TEST(Cuts, ConstantsBecomeSplatsAndAttributesGo) {
  Cutting cutting(R"(
module attributes {test.a = 1 : i32} {
  func.func @main(%a: f32 {test.b}) -> tensor<3xf32> {
    %k = arith.constant {test.c = "x"} dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    return %k : tensor<3xf32>
  }
})");
  std::string text = cutting.all(splatCut());
  EXPECT_TRUE(has(text, "dense<1.000000e+00>")) << text;
  text = cutting.all(attributeCut());
  EXPECT_FALSE(has(text, "test.")) << text;
  EXPECT_EQ(attributeCut().count(*cutting.module), 0u);
}

TEST(Cuts, DynamicSizesBecomeStatic) {
  Cutting cutting(R"(
func.func @main(%a: tensor<?x8xf32>, %n: index, %m: memref<?xf32>) -> tensor<?x8xf32> {
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %b : memref<?xf32> to memref<?xf32>
  %r = linalg.exp ins(%a : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
})");
  std::string text = cutting.first({staticCuts(*cutting.module)});
  EXPECT_TRUE(has(text, "tensor.empty() : tensor<1x8xf32>")) << text;
  EXPECT_TRUE(has(text, "memref.alloc() : memref<1xf32>")) << text;
  EXPECT_FALSE(has(text, "?")) << text;
  EXPECT_TRUE(staticCuts(*cutting.module).empty());
}

TEST(Cuts, AttributesOfOpsGo) {
  Cutting cutting(R"(
func.func @main(%a: f32, %i: i32) -> (f32, i32) {
  %f = arith.addf %a, %a fastmath<fast> : f32
  %j = arith.addi %i, %i overflow<nsw> : i32
  return %f, %j : f32, i32
})");
  const std::string text = cutting.all(inherentAttributeCut());
  EXPECT_FALSE(has(text, "fastmath")) << text;
  EXPECT_FALSE(has(text, "overflow")) << text;
}

TEST(Cuts, ReshapesBecomeArguments) {
  Cutting cutting(R"(
func.func @main(%a: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %r = math.exp %c : tensor<4xf32>
  %e = tensor.expand_shape %r [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  return %e : tensor<1x4xf32>
})");
  EXPECT_TRUE(reshapeCut({}).cut(*cutting.module));
  EXPECT_TRUE(succeeded(verify(*cutting.module)));
  std::string text;
  llvm::raw_string_ostream os(text);
  cutting.module->print(os);
  EXPECT_TRUE(has(text, "math.exp %arg1 : tensor<4xf32>")) << text;
  EXPECT_FALSE(has(text, "_shape")) << text;
}

TEST(Cuts, SlicesTurnValuesIntoArgumentsAndResults) {
  Cutting cutting(R"(
func.func @main(%x: f32) -> f32 {
  %a = math.exp %x : f32
  %b = math.log %a : f32
  %c = math.sin %b : f32
  return %c : f32
})");
  std::string text = cutting.at(sliceCut({}), 0); // the user of what is cut reads an argument
  EXPECT_TRUE(has(text, "math.log %arg1")) << text;
  text = cutting.at(sliceCut({}), 1); // what nobody uses then is returned
  EXPECT_TRUE(has(text, "-> (f32, f32)")) << text;
  EXPECT_TRUE(has(text, "math.log")) << text;
  EXPECT_FALSE(has(text, "math.sin")) << text;
  text = cutting.at(resultCut({}), 0);
  text = cutting.all(argumentCut());
  EXPECT_TRUE(has(text, "@main(%arg0: f32) -> f32")) << text;
}

TEST(Cuts, IndicesStayWhereTheyMeanSomething) {
  Cutting cutting(R"(
func.func @main(%t: tensor<4xf32>, %i: index) -> f32 {
  %c = arith.constant 3 : index
  %j = arith.minui %i, %c : index
  %v = tensor.extract %t[%j] : tensor<4xf32>
  return %v : f32
})");
  CutLimits limits;
  limits.keepsMeaning = true;
  const PlacedCut cut = sliceCut(limits);
  llvm::BitVector minimum(cut.count(*cutting.module));
  minimum.set(1);
  EXPECT_FALSE(cut.cut(*cutting.module, minimum));
}

TEST(Cuts, RegionsAreUnwrappedAndFunctionsDropped) {
  Cutting cutting(R"(
func.func @unused() {
  return
}
func.func private @called(%x: f32) -> f32 {
  return %x : f32
}
func.func @main(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (f32) {
    %y = func.call @called(%acc) : (f32) -> f32
    scf.yield %y : f32
  }
  return %s : f32
})");
  std::string text = cutting.all(unwrapCut());
  EXPECT_FALSE(has(text, "scf.for")) << text;
  CutLimits limits;
  limits.isRun = [](llvm::StringRef name) { return name == "main"; };
  text = cutting.all(symbolCut(limits));
  EXPECT_FALSE(has(text, "@unused")) << text;
  EXPECT_TRUE(has(text, "func.func private @called(f32) -> f32")) << text;
  text = cutting.all(substituteCut(Substitute::Operand));
  EXPECT_FALSE(has(text, "call @called")) << text;
}

} // namespace
} // namespace fuselage::test
