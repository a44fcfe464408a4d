// Text of other releases of LLVM in the words of the one that parses it, edit by edit.
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
    {"FillHadItsOutputFirst", "linalg.fill(%o, %v) : memref<4xf32>, f32",
     "linalg.fill ins(%v : f32) outs(%o : memref<4xf32>)"},
    {"PadTensorAndItsYield",
     "%0 = linalg.pad_tensor %a low[1] high[1] {\n^bb0(%i: index):\n  linalg.yield %z : f32\n} : t to t",
     "%0 = tensor.pad %a low[1] high[1] {\n^bb0(%i: index):\n  tensor.yield %z : f32\n} : t to t"},
    {"ExpandShapeToAStaticType", "%0 = tensor.expand_shape %a [[0, 1]] : tensor<8xf32> into tensor<2x4xf32>",
     "%0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>"},
    {"ExpandShapeToASizeThatADivisionTells",
     "%0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>",
     "%fuselage.0.0 = arith.constant 0 : index\n"
     "%fuselage.0.1 = tensor.dim %a, %fuselage.0.0 : tensor<?xf32>\n"
     "%fuselage.0.2 = arith.constant 4 : index\n"
     "%fuselage.0.3 = arith.divui %fuselage.0.1, %fuselage.0.2 : index\n"
     "%0 = tensor.expand_shape %a [[0, 1]] output_shape [%fuselage.0.3, 4] : tensor<?xf32> into tensor<?x4xf32>"},
    {"ExpandShapeToTwoUnknownSizes", "%0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x?xf32>",
     nullptr},
    {"TodaysExpandShape",
     "%0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>", nullptr},
    {"ConstantUnit", "%0 = constant unit", "%0 = \"std.constant\"() {value} : () -> none"},
    {"GenericForm", "%0 = \"std.addf\"(%a, %b) : (f32, f32) -> f32", "%0 = \"arith.addf\"(%a, %b) : (f32, f32) -> f32"},
    {"GenericFunction", "\"func\"() ({\n}) {sym_name = \"f\", type = () -> ()} : () -> ()",
     "\"func.func\"() ({\n}) {sym_name = \"f\", function_type = () -> ()} : () -> ()"},
    {"GenericDimension", "%0 = \"gpu.thread_id\"() {dimension = \"x\"} : () -> index",
     "%0 = \"gpu.thread_id\"() {dimension = #gpu<dim x>} : () -> index"},
    {"RenamedOp", "%0 = arith.maxf %a, %b : f32", "%0 = arith.maximumf %a, %b : f32"},
    {"ModuleInAForeignOp", "hal.variant @v {\n  module {\n  }\n}", "hal.variant @v {\n  builtin.module {\n  }\n}"},
    {"BareWordsOfAForeignFunction", "util.func @f() {\n  %0 = addf %a, %b : f32\n}", nullptr},
};

// What changed from 2022 on, and what is newer than the LLVM that parses.
const Old kRecent[] = {
    {"Pack", "%1 = tensor.pack %x inner_dims_pos = [0] inner_tiles = [8] into %p : tensor<64xf32> -> tensor<8x8xf32>",
     "%1 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %p : tensor<64xf32> -> tensor<8x8xf32>"},
    {"PackOfBuffers",
     "linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %y : memref<64xf32> -> memref<8x8xf32>",
     "%fuselage.0.0 = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>\n"
     "%fuselage.0.1 = bufferization.to_tensor %y restrict writable : memref<8x8xf32> to tensor<8x8xf32>\n"
     "%fuselage.0.2 = linalg.pack %fuselage.0.0 inner_dims_pos = [0] inner_tiles = [8] into %fuselage.0.1 : "
     "tensor<64xf32> -> tensor<8x8xf32>\n"
     "bufferization.materialize_in_destination %fuselage.0.2 in restrict writable %y : (tensor<8x8xf32>, "
     "memref<8x8xf32>) "
     "-> ()"},
    {"PackOfTensors",
     "%1 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %p : tensor<64xf32> -> tensor<8x8xf32>", nullptr},
    {"TransposeB", "%m = linalg.matmul_transpose_b ins(%x, %w : t, t) outs(%c : t) -> t",
     "%m = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, "
     "affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%x, %w : t, t) outs(%c : t) -> t"},
    {"BatchTransposeA", "%m = linalg.batch_matmul_transpose_a ins(%x, %w : t, t) outs(%c : t) -> t",
     "%m = linalg.batch_matmul indexing_maps = [affine_map<(b, d0, d1, d2) -> (b, d2, d0)>, affine_map<(b, d0, d1, d2) "
     "-> "
     "(b, d2, d1)>, affine_map<(b, d0, d1, d2) -> (b, d0, d1)>] ins(%x, %w : t, t) outs(%c : t) -> t"},
    {"ElemwiseByItsDefault", "%0 = linalg.elemwise_binary ins(%x, %y : t, t) outs(%o : t) -> t",
     "%0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %y : t, t) outs(%o : t) -> t"},
    {"ElemwiseKeepsOtherAttributes",
     "%0 = linalg.elemwise_unary {tag, fun = #linalg.unary_fn<exp>} ins(%x : t) outs(%o : t) -> t",
     "%0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> {tag} ins(%x : t) outs(%o : t) -> t"},
    {"ElementwiseOf24", "%0 = linalg.elementwise <add> ins(%x, %y : t, t) outs(%o : t) -> t",
     "%0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %y : t, t) outs(%o : t) -> t"},
    {"ElementwiseOf22",
     "%0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %y : t, t) outs(%o : t) -> t", nullptr},
    {"KindThatIsNewer", "%0 = linalg.elementwise <sin> ins(%x : t) outs(%o : t) -> t",
     "%0 = linalg.map { math.sin } ins(%x : t) outs(%o : t) "},
    {"MapWithoutItsOutput",
     "%0 = linalg.map ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) (%a: f32) {\n  linalg.yield %a : f32\n}",
     "%0 = linalg.map ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) (%a: f32, %fuselage.0.0: f32) {\n  linalg.yield "
     "%a : "
     "f32\n}"},
    {"MapOfToday",
     "%0 = linalg.map ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) (%a: f32, %b: f32) {\n  linalg.yield %a\n}",
     nullptr},
    {"Winograd", "%0 = linalg.winograd_filter_transform m(4) r(3) ins(%x : t) outs(%o : t) -> t",
     "%0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : t) outs(%o : t) -> t"},
    {"ToTensor", "%0 = bufferization.to_tensor %m restrict : memref<4x?xf32, strided<[8, 1]>>",
     "%0 = bufferization.to_tensor %m restrict : memref<4x?xf32, strided<[8, 1]>> to tensor<4x?xf32>"},
    {"ToMemref", "%0 = bufferization.to_memref %t : memref<4xf32>",
     "%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>"},
    {"ToTensorOfToday", "%0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>", nullptr},
    {"TensorStore", "memref.tensor_store %t, %m : memref<4xf32>",
     "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()"},
    {"SliceOfNothing", "%0 = tensor.extract_slice %x[4, 1] [0, 2] [1, 1] : tensor<4x4xf32> to tensor<0x2xf32>",
     "%0 = tensor.extract_slice %x[0, 1] [0, 2] [1, 1] : tensor<4x4xf32> to tensor<0x2xf32>"},
    {"Extract", "%0 = vector.extract %v[0] : vector<4x8xf32>",
     "%0 = vector.extract %v[0] : vector<8xf32> from vector<4x8xf32>"},
    {"ExtractOfAScalar", "%0 = vector.extract %v[0, 1] : vector<4x8xf32>",
     "%0 = vector.extract %v[0, 1] : f32 from vector<4x8xf32>"},
    {"ExtractOfToday", "%0 = vector.extract %v[0] : f32 from vector<8xf32>", nullptr},
    {"ExtractElement", "%0 = vector.extractelement %v[%i : i32] : vector<8xf32>",
     "%fuselage.0.0 = arith.index_cast %i : i32 to index\n%0 = vector.extract %v[%fuselage.0.0] : f32 from "
     "vector<8xf32>"},
    {"VectorSplat", "%0 = vector.splat %f : vector<4xf32>", "%0 = vector.broadcast %f : f32 to vector<4xf32>"},
    {"ReductionByAString", "%0 = vector.reduction \"maxf\", %v : vector<4xf32> into f32",
     "%0 = vector.reduction <maximumf>, %v : vector<4xf32> into f32"},
    {"ForeachThread",
     "%0 = scf.foreach_thread (%i) in (%n) shared_outs(%o = %y) -> (t) {\n  scf.foreach_thread.perform_concurrently "
     "{\n  }\n}",
     "%0 = scf.forall (%i) in (%n) shared_outs(%o = %y) -> (t) {\n  scf.forall.in_parallel {\n  }\n}"},
    {"ParallelLoop", "scf.parallel (%i) = (%a) to (%b) step (%c) {\n  scf.yield\n}",
     "scf.parallel (%i) = (%a) to (%b) step (%c) {\n  scf.reduce\n}"},
    {"LoopOverValues", "scf.for %i = %a to %b step %c {\n  scf.yield\n}", nullptr},
    {"Tile",
     "transform.sequence failures(propagate) {\n^bb0(%m: !pdl.operation):\n  %t, %l = transform.structured.tile %m[4] "
     "{interchange = [0]}\n}",
     "transform.sequence failures(propagate) {\n^bb0(%m: !transform.any_op):\n  %t, %l = "
     "transform.structured.tile_using_for %m "
     "tile_sizes [4] interchange = [0]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)\n}"},
    {"LoopOfForallCameFirst", "%l, %t = transform.structured.tile_to_forall_op %m tile_sizes [4] : (!h) -> (!h, !h)",
     "%t, %l = transform.structured.tile_using_forall %m tile_sizes [4] : (!h) -> (!h, !h)"},
    {"Fuse", "%t, %l = transform.structured.fuse %m {tile_sizes = [4], tile_interchange = [0]} : (!h) -> (!h, !h)",
     "%t, %l = transform.structured.fuse %m tile_sizes [4] interchange [0]  : (!h) -> (!h, !h)"},
    {"FuseOfToday", "%t, %l = transform.structured.fuse %m tile_sizes [4] : (!h) -> (!h, !h)", nullptr},
    {"PassOptions", "%0 = transform.apply_registered_pass \"p\" to %m {options = \"a=1 b c=x\"} : (!h) -> !h",
     "%0 = transform.apply_registered_pass \"p\" with options = {\"a\" = 1, \"b\" = true, \"c\" = \"x\"} to %m  : (!h) "
     "-> !h"},
};

INSTANTIATE_TEST_SUITE_P(Since2022, LegacyText, testing::ValuesIn(kRecent),
                         [](const auto &info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Of2020, LegacyText, testing::ValuesIn(kOld),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(LegacyTable, NamesEachOpOnce) {
  EXPECT_FALSE(legacyOps().empty());
  for (const LegacyOp &row : legacyOps()) {
    EXPECT_EQ(findLegacyOp(row.name), &row) << row.name.str();
    EXPECT_TRUE(row.nameToday().contains('.')) << row.name.str();
    EXPECT_TRUE(row.rewrite || row.nameToday() != row.name) << row.name.str() << " says nothing";
  }
}

TEST(LegacyTable, RenamesWhatKeptItsForm) {
  unsigned renamed = 0;
  for (const LegacyOp &row : legacyOps()) {
    if (row.rewrite || row.name == "return" || row.name.starts_with("call"))
      continue; // words that need no prefix in functions
    std::string text = "%0 = " + row.name.str() + " %a : f32";
    SourceScan scan(text);
    SourceEdits edits;
    ASSERT_EQ(scan.ops().size(), 1u) << text;
    EXPECT_TRUE(modernizeOp(scan, 0, edits)) << text;
    EXPECT_EQ(edits.apply(text).text(), "%0 = " + row.nameToday().str() + " %a : f32");
    EXPECT_NE(describeModernized(scan, 0).find("'" + row.nameToday().str() + "'"), std::string::npos);
    ++renamed;
  }
  EXPECT_GT(renamed, 0u);
}

TEST(LegacyTextPieces, AreSplitOutsideOfBrackets) {
  auto pieces = splitOutsideBrackets("a, b<c, d>, \"e, f\"", ',');
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1], "b<c, d>");
  EXPECT_EQ(findOutsideBrackets("f(a : b) : c", ":"), 9u);
}

} // namespace
} // namespace fuselage
