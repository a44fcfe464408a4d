// Text of MLIR before 2022 in today's words, edit by edit.
#include "core/ir/source/LegacyText.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

struct Old {
  const char *name, *text;
  const char *modern; ///< null: it stays as it is
};

std::ostream &operator<<(std::ostream &os, const Old &old) { return os << old.name; }

class LegacyText : public testing::TestWithParam<Old> {};

TEST_P(LegacyText, IsPutIntoTodaysWords) {
  llvm::StringRef text = GetParam().text;
  SourceScan scan(text);
  SourceEdits edits;
  bool changed = false;
  for (size_t i = 0; i < scan.ops().size(); ++i)
    changed |= modernizeOp(scan, static_cast<int32_t>(i), edits);
  EXPECT_EQ(changed, GetParam().modern != nullptr);
  EXPECT_EQ(edits.apply(text).text(), GetParam().modern ? GetParam().modern : text);
}

const Old kOld[] = {
    {"Function", "func @f(%a: f32) {\n  return\n}", "func.func @f(%a: f32) {\n  return\n}"},
    {"DeclarationIsPrivate", "func @f(f32)", "func.func private @f(f32)"},
    {"BuiltinFunc", "builtin.func @f() {\n  return\n}", "func.func @f() {\n  return\n}"},
    {"TodaysFunction", "func.func @f() {\n  return\n}", nullptr},
    {"StdArithmetic", "%0 = addf %a, %b : f32", "%0 = arith.addf %a, %b : f32"},
    {"StdPrefix", "%0 = std.addi %a, %b : i32", "%0 = arith.addi %a, %b : i32"},
    {"Subtensor", "%0 = subtensor %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>",
     "%0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>"},
    {"DimOfATensor", "%0 = dim %t, %c0 : tensor<?xf32>", "%0 = tensor.dim %t, %c0 : tensor<?xf32>"},
    {"DimOfAMemref", "%0 = dim %t, %c0 : memref<?xf32>", "%0 = memref.dim %t, %c0 : memref<?xf32>"},
    {"DimWithANumberHasNoForm", "%0 = dim %t, 1 : tensor<?xf32>", nullptr},
    {"ConstantOfAFunction", "%0 = std.constant @f : () -> ()", "%0 = func.constant @f : () -> ()"},
    {"InitTensor", "%0 = linalg.init_tensor [4, %d] : tensor<4x?xf32>", "%0 = tensor.empty(%d) : tensor<4x?xf32>"},
    {"InitIsOuts", "%0 = linalg.matmul ins(%a, %b : f, f) init(%c : f) -> f",
     "%0 = linalg.matmul ins(%a, %b : f, f) outs(%c : f) -> f"},
    {"CallLikeMatmul", "linalg.matmul(%a, %b, %c) : memref<4xf32>, memref<4xf32>, memref<4xf32>",
     "linalg.matmul ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)"},
    {"FillHadItsOutputFirst", "linalg.fill(%o, %v) : memref<4xf32>, f32", "linalg.fill ins(%v : f32) outs(%o : memref<4xf32>)"},
    {"PadTensorAndItsYield", "%0 = linalg.pad_tensor %a low[1] high[1] {\n^bb0(%i: index):\n  linalg.yield %z : f32\n} : t to t",
     "%0 = tensor.pad %a low[1] high[1] {\n^bb0(%i: index):\n  tensor.yield %z : f32\n} : t to t"},
    {"ExpandShapeToAStaticType", "%0 = tensor.expand_shape %a [[0, 1]] : tensor<8xf32> into tensor<2x4xf32>",
     "%0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>"},
    {"ExpandShapeToADynamicType", "%0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>", nullptr},
    {"RenamedOp", "%0 = arith.maxf %a, %b : f32", "%0 = arith.maximumf %a, %b : f32"},
    {"ModuleInAForeignOp", "hal.variant @v {\n  module {\n  }\n}", "hal.variant @v {\n  builtin.module {\n  }\n}"},
    {"BareWordsOfAForeignFunction", "util.func @f() {\n  %0 = addf %a, %b : f32\n}", nullptr},
};

INSTANTIATE_TEST_SUITE_P(Of2020, LegacyText, testing::ValuesIn(kOld),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(LegacyTextPieces, AreSplitOutsideOfBrackets) {
  auto pieces = splitOutsideBrackets("a, b<c, d>, \"e, f\"", ',');
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1], "b<c, d>");
  EXPECT_EQ(findOutsideBrackets("f(a : b) : c", ":"), 9u);
}

} // namespace
} // namespace fuselage
