// Programs of other compilers as graphs: the samples under samples/foreign.
#include "core/graph/scene/Scene.h"
#include "core/registration/Registration.h"
#include "tests/core/graph/TestModules.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// A sample as it is read, and its graph.
struct Foreign {
  Session session{allDialects()};
  ReadResult read;
  Graph graph;

  explicit Foreign(llvm::StringRef name) {
    std::string path = (FUSELAGE_SOURCE_DIR "/samples/foreign/" + name + ".mlir").str();
    auto result = session.read(path);
    if (!result) {
      ADD_FAILURE() << takeFailure(result.takeError()).message;
      return;
    }
    read = std::move(*result);
    for (const Diagnostic &diagnostic : read.diagnostics)
      EXPECT_NE(diagnostic.severity, Diagnostic::Severity::Error) << formatDiagnostic(diagnostic);
    EXPECT_EQ(read.gaps, 0u);
    graph = buildGraph(*read.module, PrintedModule(*read.module));
  }
  const FunctionGraph &function(llvm::StringRef name) const {
    static const FunctionGraph none;
    for (const FunctionGraph &function : graph.functions)
      if (function.name == name)
        return function;
    ADD_FAILURE() << "no function " << name.str();
    return none;
  }
};

/// The node whose label starts so; a failure names the labels there are.
const GraphNode &node(const FunctionGraph &function, llvm::StringRef labelPrefix) {
  static const GraphNode none;
  if (const GraphNode *found = findNode(function, labelPrefix))
    return *found;
  std::string labels;
  for (const GraphNode &other : function.nodes)
    labels += other.label.str() + "\n";
  ADD_FAILURE() << "no node " << labelPrefix.str() << " among\n" << labels;
  return none;
}

const GraphEdge *edgeBetween(const FunctionGraph &function, const GraphNode &from, const GraphNode &to) {
  for (const GraphEdge &edge : function.edges)
    if (edge.from == from.id && edge.to == to.id)
      return &edge;
  return nullptr;
}

TEST(ForeignGraph, DispatchesOfEntryPoints) {
  Foreign sample("flow_mlp");
  const FunctionGraph &main = sample.function("forward");
  EXPECT_FALSE(main.outlined);
  ASSERT_EQ(main.dispatches.size(), 2u);
  const GraphDispatch &first = main.dispatches[0];
  EXPECT_EQ(first.name, "matmul_32x512x256_f32");
  EXPECT_EQ(first.kind, "contraction");
  EXPECT_EQ(first.function, "forward_dispatch_0::forward_dispatch_0_matmul_32x512x256_f32");
  EXPECT_EQ(first.flops, 2ll * 32 * 512 * 256 + 32 * 512);
  EXPECT_EQ(first.bytesRead, 4ll * (32 * 256 + 256 * 512));
  EXPECT_EQ(first.bytesWritten, 4ll * 32 * 512);
  const GraphNode &call = node(main, "matmul_32x512x256_f32");
  EXPECT_EQ(call.kind, NodeKind::Dispatch);
  EXPECT_EQ(node(main, "input 32x256").kind, NodeKind::Argument);
  EXPECT_EQ(node(main, "output 32x64").kind, NodeKind::Return);
  EXPECT_EQ(node(main, "@w1").kind, NodeKind::Constant);
  EXPECT_EQ(node(main, "return").kind, NodeKind::Return);
  const GraphEdge *edge = edgeBetween(main, call, node(main, "matmul_32x64x512_f32"));
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->bytes, 4 * 32 * 512);

  const FunctionGraph &kernel = sample.function(first.function);
  EXPECT_TRUE(kernel.outlined);
  ASSERT_EQ(kernel.dispatches.size(), 1u);
  EXPECT_EQ(kernel.dispatches[0].flops, first.flops);
  ASSERT_GE(kernel.clusters.size(), 2u);
  EXPECT_EQ(kernel.clusters[0].label, "executable @forward_dispatch_0");
  EXPECT_EQ(kernel.clusters[0].kind, GraphCluster::Kind::Region);
  EXPECT_EQ(kernel.clusters[1].kind, GraphCluster::Kind::Function);
  EXPECT_EQ(node(kernel, "load 32x256").kind, NodeKind::Slice);
  EXPECT_EQ(node(kernel, "store 32x512").bytesWritten, 4 * 32 * 512);
}

TEST(ForeignGraph, KernelsShareTheNumberOfTheirDispatch) {
  Foreign sample("flow_mlp");
  SceneOptions options;
  options.level = SceneOptions::Level::Dispatches;
  auto scene = buildScene(sample.graph, options);
  ASSERT_TRUE(static_cast<bool>(scene)) << llvm::toString(scene.takeError());
  EXPECT_EQ(scene->dispatchLocs.size(), 2u);
  ASSERT_FALSE(scene->nodes.empty());
  for (const SceneNode &drawn : scene->nodes) {
    EXPECT_FALSE(llvm::StringRef(drawn.title).starts_with("load")) << drawn.title.str();
  }
}

TEST(ForeignGraph, DispatchRegionsAndWorkgroups) {
  Foreign sample("flow_regions");
  const FunctionGraph &main = sample.function("scaled");
  ASSERT_EQ(main.dispatches.size(), 2u);
  EXPECT_EQ(main.dispatches[0].kind, "elementwise");
  EXPECT_EQ(main.dispatches[1].kind, "contraction");
  EXPECT_EQ(main.dispatches[1].name, "matmul_64x48x96");
  EXPECT_EQ(main.dispatches[1].flops, 2ll * 64 * 48 * 96 + 64 * 48);
  EXPECT_EQ(main.dispatches[1].bytesRead, 4ll * (64 * 96 + 96 * 48 + 48));
  EXPECT_EQ(main.dispatches[1].bytesWritten, 4ll * 64 * 48);
  const GraphNode &dispatch = node(main, "matmul_64x48x96");
  EXPECT_EQ(node(main, "load 64x96").dispatch, 1);
  auto cluster = llvm::find_if(main.clusters, [&](auto &c) { return c.id == dispatch.id; });
  ASSERT_NE(cluster, main.clusters.end());
  EXPECT_EQ(cluster->kind, GraphCluster::Kind::Dispatch);
  ASSERT_EQ(cluster->yields.size(), 1u);
  EXPECT_EQ(cluster->yields[0].node, node(main, "store 64x48").id);
  EXPECT_EQ(cluster->entries.size(), 3u); // not the workload
}

TEST(ForeignGraph, TilesOfAKernel) {
  Foreign sample("int4_kernel_2023");
  const FunctionGraph &kernel = sample.function("grouped_dequant_matmul::grouped_dequant_matmul");
  ASSERT_EQ(kernel.dispatches.size(), 1u);
  EXPECT_EQ(kernel.dispatches[0].kind, "contraction");
  ASSERT_GE(kernel.clusters.size(), 3u);
  EXPECT_EQ(kernel.clusters[0].label, "executable @grouped_dequant_matmul");
  EXPECT_EQ(kernel.clusters[1].label, "variant @vulkan_spirv_fb");
  const GraphNode &weights = node(kernel, "binding 0 32x64x1024");
  EXPECT_EQ(weights.kind, NodeKind::Argument);
  const GraphNode &load = node(kernel, "load 32x64x64 of 32x64x1024");
  EXPECT_EQ(load.bytesRead, 32 * 64 * 64 / 2);
  const GraphEdge *edge = edgeBetween(kernel, weights, load);
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->bytes, 32 * 64 * 64 / 2);
  EXPECT_EQ(node(kernel, "load 16x32x64 of 256x32x64").bytesRead, 4 * 16 * 32 * 64);
  EXPECT_EQ(node(kernel, "store 16x64 of 256x1024").bytesWritten, 4 * 16 * 64);
  EXPECT_EQ(node(kernel, "workgroup id y").kind, NodeKind::Other);
  // 16 x 16 workgroups cover the result.
  EXPECT_EQ(kernel.dispatches[0].flops, 256ll * (2 * 16 * 64 * 32 * 64 + 32 * 64 * 64));
  EXPECT_EQ(kernel.dispatches[0].bytesRead, 32ll * 64 * 1024 / 2 + 4 * 32 * 1024 + 4 * 256 * 32 * 64);
  EXPECT_EQ(kernel.dispatches[0].bytesWritten, 4ll * 256 * 1024);
}

TEST(ForeignGraph, KernelsOf2020) {
  Foreign sample("destructive_update_2020");
  const FunctionGraph &product = sample.function("tiled_product");
  ASSERT_EQ(product.dispatches.size(), 1u);
  EXPECT_EQ(product.dispatches[0].kind, "contraction");
  EXPECT_EQ(node(product, "load 8x32 from lhs").kind, NodeKind::Slice);
  EXPECT_EQ(node(product, "store 8x16 to ret0").kind, NodeKind::Slice);
  EXPECT_EQ(node(product, "workgroup id x").kind, NodeKind::Other);
  const FunctionGraph &tiles = sample.function("tiles_in_place");
  EXPECT_EQ(node(tiles, "load 2x32 from lhs").bytesRead, 4 * 2 * 32);
  EXPECT_EQ(node(tiles, "store 2x4 to ret0").bytesWritten, 4 * 2 * 4);
  EXPECT_EQ(node(tiles, "matmul").kind, NodeKind::Compute);
  EXPECT_EQ(node(tiles, "matmul").flops, 2 * 2 * 4 * 32);
}

TEST(ForeignGraph, StableHlo) {
  Foreign sample("stablehlo_mlp");
  const FunctionGraph &main = sample.function("main");
  EXPECT_EQ(node(main, "dot_general 32x128").kind, NodeKind::Compute);
  EXPECT_EQ(node(main, "dot_general 32x128").flops, 2ll * 32 * 128 * 256);
  EXPECT_EQ(node(main, "subtract 32x10").flops, 32 * 10);
  EXPECT_EQ(node(main, "call @relu").kind, NodeKind::Call);
  EXPECT_EQ(node(main, "exponential 32x10").kind, NodeKind::Compute);
  EXPECT_EQ(node(main, "reduce 32").kind, NodeKind::Compute);
  EXPECT_EQ(node(main, "constant").kind, NodeKind::Constant);
}

TEST(ForeignGraph, Torch) {
  Foreign sample("torch_block");
  const FunctionGraph &main = sample.function("forward");
  EXPECT_EQ(node(main, "aten.bmm 1x128x128").kind, NodeKind::Compute);
  EXPECT_EQ(node(main, "aten.bmm 1x128x128").flops, 2ll * 128 * 128 * 64);
  EXPECT_EQ(node(main, "aten.matmul").flops, 2ll * 128 * 64 * 64);
  EXPECT_EQ(node(main, "aten.view 1x128x64").kind, NodeKind::Reshape);
  EXPECT_EQ(node(main, "constant -1").kind, NodeKind::Constant);
  EXPECT_EQ(node(main, "vtensor.literal 64").kind, NodeKind::Constant);
  const GraphEdge *edge = edgeBetween(main, node(main, "aten.softmax.int"), node(main, "aten.bmm 1x128x64"));
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->bytes, 4 * 128 * 128);
}

TEST(ForeignGraph, Triton) {
  Foreign sample("triton_matmul");
  const FunctionGraph &kernel = sample.function("matmul_bias");
  EXPECT_TRUE(kernel.outlined);
  ASSERT_EQ(kernel.dispatches.size(), 1u);
  EXPECT_EQ(kernel.dispatches[0].kind, "contraction");
  EXPECT_EQ(node(kernel, "load 64x32").bytesRead, 2 * 64 * 32);
  EXPECT_EQ(node(kernel, "store 64x64").bytesWritten, 4 * 64 * 64);
  EXPECT_EQ(node(kernel, "dot 64x64").kind, NodeKind::Compute);
  EXPECT_EQ(node(kernel, "program id x").kind, NodeKind::Other);
}

TEST(ForeignGraph, Streams) {
  Foreign sample("stream_schedule");
  const FunctionGraph &main = sample.function("relu");
  ASSERT_EQ(main.dispatches.size(), 1u);
  EXPECT_EQ(main.dispatches[0].name, "elementwise_4096_f32");
  EXPECT_EQ(main.dispatches[0].kind, "elementwise");
  EXPECT_EQ(main.dispatches[0].flops, 4096);
  EXPECT_EQ(main.dispatches[0].bytesRead, 4 * 4096);
  EXPECT_EQ(node(main, "execute").kind, NodeKind::Control);
  EXPECT_EQ(node(main, "input").kind, NodeKind::Argument);
}

} // namespace
