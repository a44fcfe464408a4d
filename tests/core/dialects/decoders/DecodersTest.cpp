// What decoders make of ops in MLIR's generic form, and of types.
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "mlir/IR/Builders.h"
#include "tests/core/graph/TestModules.h"
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

mlir::Type foreignType(mlir::MLIRContext &context, llvm::StringRef dialect, llvm::StringRef text) {
  return mlir::OpaqueType::get(mlir::StringAttr::get(&context, dialect), text);
}

std::string shapeOf(mlir::Type type) {
  mlir::RankedTensorType tensor = underlyingTensor(type);
  std::string text;
  if (tensor)
    llvm::raw_string_ostream(text) << tensor;
  return text;
}

TEST(Decoders, NamesAreDecodedOnce) {
  std::set<std::string> names;
  for (const Decoder *decoder : allDecoders())
    for (llvm::StringLiteral name : decoder->names)
      EXPECT_TRUE(names.insert(name.str()).second) << name.str();
  EXPECT_TRUE(names.count("flow.dispatch.region"));
}

TEST(Decoders, DispatchTensors) {
  mlir::MLIRContext context;
  context.allowUnregisteredDialects();
  auto decoded = [&](llvm::StringRef dialect, llvm::StringRef text) {
    return decodeDispatchTensor(foreignType(context, dialect, text));
  };
  auto modern = decoded("iree_tensor_ext", "dispatch.tensor<readwrite:tensor<86x?xi4>>");
  ASSERT_TRUE(modern);
  EXPECT_EQ(modern->access, TensorAccess::ReadWrite);
  EXPECT_TRUE(modern->tensor.isDynamicDim(1));
  EXPECT_TRUE(decoded("flow", "dispatch.tensor<readonly:4x8xf32>"));
  auto output = decoded("flow", "dispatch.output<4x8xf32>");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->access, TensorAccess::WriteOnly);
  auto scalar = decoded("flow", "dispatch.tensor<readonly:tensor<f32>>");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->tensor.getRank(), 0);
  EXPECT_FALSE(decoded("flow", "dispatch.tensor<sometimes:tensor<4xf32>>"));
  EXPECT_FALSE(decoded("flow", "dispatch.tensor<readonly:tensor<4x>>"));
  EXPECT_FALSE(decoded("flow", "dispatch.tensor<readonly:!alias>"));
  EXPECT_FALSE(decoded("hal", "buffer"));
  EXPECT_FALSE(decodeDispatchTensor(mlir::IndexType::get(&context)));
}

TEST(Decoders, TensorsBehindTypes) {
  mlir::MLIRContext context;
  context.allowUnregisteredDialects();
  auto behind = [&](llvm::StringRef dialect, llvm::StringRef text) {
    return shapeOf(foreignType(context, dialect, text));
  };
  EXPECT_EQ(behind("torch", "vtensor<[2,?],f32>"), "tensor<2x?xf32>");
  EXPECT_EQ(behind("torch", "vtensor<[],si64>"), "tensor<si64>");
  EXPECT_EQ(behind("torch", "vtensor"), "");
  EXPECT_EQ(behind("torch", "vtensor<*,f32>"), "");
  EXPECT_EQ(behind("tt", "tensordesc<tensor<64x32xf16>>"), "tensor<64x32xf16>");
  EXPECT_EQ(behind("tt", "ptr<tensor<64x32xf16>>"), "");
  EXPECT_EQ(behind("tt", "ptr<f16>"), "");
  EXPECT_EQ(behind("ttg", "memdesc<64x32xf16, #shared>"), "tensor<64x32xf16>");
  EXPECT_EQ(behind("stream", "resource<external>"), "");
  EXPECT_EQ(behind("x", "y<"), "");
  EXPECT_EQ(behind("x", "max<f32>"), "");
}

TEST(Decoders, GenericFormOfTileAccesses) {
  Parsed parsed(R"(
module {
  func.func @kernel(%m: memref<64x32xf32>, %o: index) {
    %l = "iree_tensor_ext.dispatch.tensor.load"(%m, %o) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>,
        static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>,
        static_strides = array<i64: 1, 1>}> : (memref<64x32xf32>, index) -> tensor<16x32xf32>
    "iree_tensor_ext.dispatch.tensor.store"(%l, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0>,
        static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>,
        static_strides = array<i64: 1, 1>}> : (tensor<16x32xf32>, memref<64x32xf32>, index) -> ()
    return
  }
})");
  DecodedOp load = decode(parsed.find("iree_tensor_ext.dispatch.tensor.load"));
  EXPECT_EQ(load.role, OpRole::TileLoad);
  EXPECT_EQ(load.label, "load 16x32 of 64x32");
  ASSERT_EQ(load.tile.offsets.size(), 2u);
  EXPECT_TRUE(llvm::isa<mlir::Value>(load.tile.offsets[0]));
  EXPECT_TRUE(llvm::isa<mlir::Attribute>(load.tile.offsets[1]));
  DecodedOp store = decode(parsed.find("iree_tensor_ext.dispatch.tensor.store"));
  EXPECT_EQ(store.label, "store 16x32 of 64x32");
  EXPECT_TRUE(isKernel(parsed.find("func.func")));
}

TEST(Decoders, OddOpsHaveNoRole) {
  Parsed parsed(R"(
module {
  func.func @f(%t: tensor<4xf32>) {
    %a = "hal.tensor.import"(%t) : (tensor<4xf32>) -> tensor<4xf32>
    "iree_tensor_ext.dispatch.tensor.store"(%t) : (tensor<4xf32>) -> ()
    "iree_tensor_ext.dispatch.tensor.load"() : () -> ()
    "stream.cmd.execute"() : () -> ()
    "util.global.load"() : () -> ()
    "hal.interface.binding.subspan"() : () -> ()
    return
  }
})");
  parsed.module->walk([](mlir::Operation *op) {
    if (!op->isRegistered()) {
      EXPECT_EQ(decode(op).role, OpRole::None) << op->getName().getStringRef().str();
    }
  });
}

TEST(Decoders, AnyFunctionAndReturn) {
  Parsed parsed(R"(
module {
  "mine.function"() ({
  ^bb0(%a: f32):
    "mine.return"(%a) : (f32) -> ()
  }) {sym_name = "f", function_type = (f32) -> f32} : () -> ()
})");
  EXPECT_EQ(decode(parsed.find("mine.function")).role, OpRole::Function);
  EXPECT_EQ(decode(parsed.find("mine.return")).role, OpRole::Return);
  Graph graph = parsed.graph();
  ASSERT_EQ(graph.functions.size(), 1u);
  EXPECT_EQ(graph.functions[0].name, "f");
}

TEST(Decoders, KernelsOfDispatches) {
  Parsed parsed(R"(
module {
  "hal.executable"() ({
    "hal.executable.variant"() ({
      "hal.executable.export"() {sym_name = "entry"} : () -> ()
      module {
        func.func @entry() { return }
      }
    }) {sym_name = "first"} : () -> ()
  }) {sym_name = "ex"} : () -> ()
  func.func @main() {
    "stream.cmd.dispatch"() {entry_points = [@ex::@first::@entry]} : () -> ()
    "stream.cmd.dispatch"() {entry_points = [@nowhere::@entry]} : () -> ()
    return
  }
})");
  mlir::Operation *call = parsed.find("stream.cmd.dispatch");
  KernelFinder finder;
  EXPECT_EQ(decode(call).callee, "ex::first::entry");
  mlir::Operation *kernel = finder.find(call, "ex::first::entry");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(qualifiedName(kernel), "ex::entry");
  EXPECT_EQ(finder.find(call, "nowhere::entry"), nullptr);
  EXPECT_EQ(finder.find(call, "ex"), nullptr);
  EXPECT_EQ(finder.find(call, "main::entry"), nullptr);
}

TEST(Decoders, DispatchesArePlannedInForeignFunctions) {
  Parsed parsed(R"(
"util.func"() ({
^bb0(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>):
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>)
                     outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  "util.return"(%r) : (tensor<8x4xf32>) -> ()
}) {sym_name = "main", function_type = (tensor<8x16xf32>, tensor<16x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>} : () -> ()
)");
  Graph graph = parsed.graph();
  ASSERT_EQ(graph.functions.size(), 1u);
  EXPECT_EQ(graph.functions[0].name, "main");
  ASSERT_EQ(graph.functions[0].dispatches.size(), 1u);
  EXPECT_EQ(graph.functions[0].dispatches[0].name, "matmul_8x4x16");
  EXPECT_EQ(findNode(graph.functions[0], "matmul")->dispatch, 0);
}

TEST(Decoders, GapsAreNodesOfTheirOwn) {
  Parsed parsed(R"(
func.func @f(%x: f32) -> f32 {
  %y = "fuselage.gap"() {text = "mine.op %x ) ("} : () -> f32
  return %y : f32
})");
  Graph graph = parsed.graph();
  const GraphNode *gap = findNode(graph.functions[0], "not read");
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->kind, NodeKind::Gap);
  EXPECT_EQ(gap->label, "not read: mine.op %x ) (");
  EXPECT_EQ(nodeKindName(gap->kind), "gap");
}

} // namespace
