#include "core/analysis/costs/OpCosts.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/graph/model/LayerNames.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

TEST(GraphBuilder, NodesEdgesAndLabels) {
  Graph graph = Parsed(matmulBias).graph();
  ASSERT_EQ(graph.functions.size(), 1u);
  const FunctionGraph &function = graph.functions[0];
  EXPECT_EQ(function.name, "main");
  ASSERT_NE(findNode(function, "matmul 128x32x64"), nullptr);
  ASSERT_NE(findNode(function, "add 128x32"), nullptr);
  ASSERT_NE(findNode(function, "fill 128x32"), nullptr);
  ASSERT_NE(findNode(function, "constant 0"), nullptr);
  const GraphNode *argument = findNode(function, "%arg0");
  ASSERT_NE(argument, nullptr);
  EXPECT_EQ(argument->id, -1);
  EXPECT_EQ(argument->kind, NodeKind::Argument);
  const GraphNode *matmul = findNode(function, "matmul");
  EXPECT_EQ(matmul->iterators, "parallel, parallel, reduction");
  EXPECT_EQ(matmul->maps.size(), 3u);
  EXPECT_EQ(matmul->loc, "test.mlir:8:8");
  EXPECT_EQ(matmul->results, std::vector<std::string>{"%2"});
  bool found = false;
  for (const GraphEdge &edge : function.edges)
    if (edge.from == -1 && edge.to == matmul->id) {
      found = true;
      EXPECT_EQ(edge.operand, 0u);
      EXPECT_EQ(edge.type, "tensor<128x64xf32>");
      EXPECT_EQ(edge.bytes, 128 * 64 * 4);
    }
  EXPECT_TRUE(found);
}

TEST(GraphBuilder, PlansDispatchesWhereThereAreNone) {
  Graph graph = Parsed(matmulBias).graph();
  const FunctionGraph &function = graph.functions[0];
  ASSERT_EQ(function.dispatches.size(), 1u);
  const GraphDispatch &dispatch = function.dispatches[0];
  EXPECT_EQ(dispatch.kind, "contraction");
  const GraphNode *matmul = findNode(function, "matmul"), *add = findNode(function, "add");
  EXPECT_EQ(matmul->dispatch, 0);
  EXPECT_EQ(add->dispatch, 0);
  EXPECT_EQ(findNode(function, "fill")->dispatch, 0); // cloned in, used nowhere else
  EXPECT_EQ(function.clusters[matmul->cluster].id, plannedClusterId(matmul->id));
  EXPECT_EQ(dispatch.flops, 2ll * 128 * 32 * 64 + 128 * 32);
  EXPECT_EQ(dispatch.bytesRead, 4ll * (128 * 64 + 64 * 32 + 32));
  EXPECT_EQ(dispatch.bytesWritten, 4ll * 128 * 32);
}

TEST(GraphBuilder, OpsThatLookAlikeHaveTheirOwnCosts) {
  Parsed parsed(R"(
    func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
      %e = tensor.empty() : tensor<8x4xf32>
      %two = linalg.add ins(%x, %y : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
      %one = linalg.add ins(%x, %x : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
      %half = linalg.add ins(%x, %e : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
      %again = linalg.add ins(%y, %two : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
        -> tensor<8x4xf32>
      return %one, %half, %again : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
    })");
  Graph graph = parsed.graph();
  std::vector<mlir::Operation *> ops;
  parsed.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops.push_back(op); });
  std::vector<int64_t> read;
  for (const GraphNode &node : graph.functions[0].nodes) {
    if (node.op != "linalg.add")
      continue;
    OpCost cost = costOf(ops[node.id]);
    EXPECT_EQ(node.flops, cost.flops);
    EXPECT_EQ(node.bytesRead, cost.bytesRead);
    EXPECT_EQ(node.bytesWritten, cost.bytesWritten);
    read.push_back(node.bytesRead);
  }
  EXPECT_EQ(read, (std::vector<int64_t>{256, 128, 128, 256}));
}

TEST(GraphBuilder, NamesOfLayersNeedNoBytes) {
  std::string text = "func.func @main(%v0: tensor<8x8xf32>, %w: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> "
                     "tensor<8x8xf32> {\n";
  constexpr llvm::StringLiteral types = " : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> "
                                        "tensor<8x8xf32>\n";
  unsigned value = 0;
  auto op = [&](llvm::StringRef name, llvm::StringRef other) {
    text += llvm::formatv("  %v{0} = linalg.{1} ins(%v{2}, {3}{4}", value + 1, name, value, other, types).str();
    ++value;
  };
  for (unsigned layer = 0; layer < 4; ++layer)
    for (llvm::StringRef name : {"matmul", "add", "sub", "mul"})
      op(name, "%w");
  text += llvm::formatv("  return %v{0} : tensor<8x8xf32>\n}\n", value).str();
  Parsed parsed(text);
  Graph whole = parsed.graph(), brief = buildGraphForNames(*parsed.module);
  LayerNames names(whole), briefNames(brief);
  unsigned named = 0;
  for (const GraphNode &node : whole.functions[0].nodes) {
    EXPECT_EQ(names.of(node.id), briefNames.of(node.id)) << node.label.str();
    named += !names.of(node.id).empty();
  }
  EXPECT_EQ(named, 16u);
  // And where the dispatches are known.
  DispatchPlans plans;
  auto report = explainFusion(*parsed.module, {}, 500, {.maxOps = 0}, &plans);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(plans.size(), 1u);
  Graph shared = buildGraphForNames(*parsed.module, std::move(plans));
  ASSERT_EQ(shared.functions.size(), brief.functions.size());
  EXPECT_GE(brief.functions[0].dispatches.size(), 4u);
  EXPECT_EQ(shared.functions[0].dispatches.size(), brief.functions[0].dispatches.size());
  for (auto [one, other] : llvm::zip_equal(shared.functions[0].nodes, brief.functions[0].nodes)) {
    EXPECT_EQ(one.dispatch, other.dispatch) << one.label.str();
    EXPECT_EQ(one.cluster, other.cluster) << one.label.str();
  }
  // Another policy groups in another way.
  DispatchPlans none;
  auto conservative = explainFusion(*parsed.module, conservativePolicy(), 500, {.maxOps = 0}, &none);
  ASSERT_TRUE(bool(conservative)) << llvm::toString(conservative.takeError());
  EXPECT_TRUE(none.empty());
}

TEST(GraphBuilder, IdsAndLinesAreThoseOfThePrintedModule) {
  Parsed parsed(regions);
  PrintedModule printed(*parsed.module);
  Graph graph = buildGraph(*parsed.module, printed);
  std::set<OpId> seen;
  unsigned compared = 0;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphNode &node : function.nodes) {
      EXPECT_TRUE(seen.insert(node.id).second) << node.label.str();
      if (node.id < 0)
        continue;
      ASSERT_LT(node.id, printed.opCount());
      EXPECT_EQ(node.lines.first, printed.linesOf(node.id).first);
      std::string line = printed.line(node.lines.first).str();
      llvm::StringRef name = node.op;
      name.consume_front("func."); // printed without its dialect inside functions
      EXPECT_NE(line.find(name.str()), std::string::npos) << line << " / " << node.op.str();
      ++compared;
    }
  EXPECT_GT(compared, 0u);
}

TEST(GraphBuilder, RegionsAreNodesAndClusters) {
  Graph graph = Parsed(regions).graph();
  ASSERT_EQ(graph.functions.size(), 3u);
  const FunctionGraph &loop = graph.functions[0];
  const GraphNode *forNode = findNode(loop, "for");
  ASSERT_NE(forNode, nullptr);
  EXPECT_EQ(forNode->label, "for 0..?");
  auto cluster = llvm::find_if(loop.clusters, [&](auto &c) { return c.id == forNode->id; });
  ASSERT_NE(cluster, loop.clusters.end());
  const GraphNode *exp = findNode(loop, "exp");
  ASSERT_EQ(cluster->yields.size(), 1u);
  EXPECT_EQ(cluster->yields[0].node, exp->id);
  ASSERT_EQ(cluster->entries.size(), 1u);

  const FunctionGraph &tiles = graph.functions[1];
  const GraphNode *forall = findNode(tiles, "forall 16 step 4");
  if (!forall)
    forall = findNode(tiles, "forall");
  ASSERT_NE(forall, nullptr);
  auto box = llvm::find_if(tiles.clusters, [&](auto &c) { return c.id == forall->id; });
  ASSERT_EQ(box->yields.size(), 1u);
  EXPECT_EQ(box->yields[0].node, findNode(tiles, "parallel_insert_slice")->id);

  const FunctionGraph &formed = graph.functions[2];
  ASSERT_EQ(formed.dispatches.size(), 1u);
  EXPECT_EQ(formed.dispatches[0].kind, "contraction");
  EXPECT_EQ(formed.dispatches[0].flops, 2 * 8 * 8 * 8);
  for (const GraphCluster &c : formed.clusters)
    EXPECT_LT(c.parent, static_cast<int>(&c - formed.clusters.data()));
}

TEST(GraphBuilder, OutlinedDispatchesAreCalls) {
  Graph graph = Parsed(outlined).graph();
  ASSERT_EQ(graph.functions.size(), 2u);
  EXPECT_TRUE(graph.functions[0].outlined);
  const FunctionGraph &main = graph.functions[1];
  ASSERT_EQ(main.dispatches.size(), 2u);
  EXPECT_EQ(main.dispatches[0].name, "exp_16");
  EXPECT_EQ(main.dispatches[0].function, "main_dispatch_0_exp_16");
  EXPECT_EQ(main.dispatches[0].flops, 16);
  const GraphNode *call = findNode(main, "exp_16");
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->kind, NodeKind::Dispatch);
}

TEST(GraphBuilder, CapturedValuesOfPayloadsAreEdges) {
  Graph graph = Parsed(R"(
#id = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%o: f32):
    %m = arith.mulf %o, %s : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})")
                    .graph();
  bool captured = false;
  for (const GraphEdge &edge : graph.functions[0].edges)
    captured |= edge.from == -2 && edge.operand == 1;
  EXPECT_TRUE(captured);
}

TEST(GraphBuilder, NamesWhatAGenericDoes) {
  Graph graph = Parsed(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>, %v: tensor<4xf32>) {
  %a = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<8x4xf32>) outs(%t : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%t : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x8xf32>
  %c = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<4x8xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.maximumf %i, %o : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %x = arith.subf %i, %o : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return
})")
                    .graph();
  const FunctionGraph &function = graph.functions[0];
  for (const char *label : {"transpose 4x8", "broadcast 4x8", "reduce max 4x8", "sub+exp 4x8"})
    EXPECT_NE(findNode(function, label), nullptr) << label;
}

TEST(GraphBuilder, NestedModulesAndLooseOps) {
  Graph graph = Parsed(R"(
module @outer {
  %c = arith.constant 1 : index
  module @inner {
    func.func @f() { return }
  }
  func.func private @external(index)
})")
                    .graph();
  ASSERT_EQ(graph.functions.size(), 2u);
  EXPECT_EQ(graph.functions[0].name, "f");
  EXPECT_EQ(graph.functions[0].clusters.size(), 2u);
  EXPECT_EQ(graph.functions[1].name, "");
}

TEST(GraphBuilder, UnregisteredFunctionsAndBadBytes) {
  Graph graph = Parsed(R"mlir(
"util.func"() ({
^bb0(%a: tensor<4xf32>):
  %0 = "my.op"(%a) {text = "\FF\FE"} : (tensor<4xf32>) -> tensor<4xf32>
  "my.return"(%0) : (tensor<4xf32>) -> ()
}) {sym_name = "bad\FFname"} : () -> ()
)mlir")
                    .graph();
  ASSERT_EQ(graph.functions.size(), 1u);
  EXPECT_TRUE(llvm::json::isUTF8(graph.functions[0].name));
  EXPECT_NE(findNode(graph.functions[0], "op"), nullptr);
}

/// Pictures name arguments without numbering the module; the names are those of the text all the same.
TEST(GraphBuilder, OpsAreCountedAsTheGraphHasThem) {
  for (const char *text : {matmulBias, regions, R"(
module @outer {
  module @inner {
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
})"}) {
    Parsed parsed(text);
    int64_t nodes = 0;
    for (const FunctionGraph &function : parsed.graph().functions)
      nodes += llvm::count_if(function.nodes, [](const GraphNode &node) { return node.kind != NodeKind::Argument; });
    EXPECT_EQ(countOps(*parsed.module), nodes) << text;
  }
}

TEST(GraphBuilder, ArgumentsAreNamedAsInTheText) {
  Parsed parsed(R"mlir(
module {
  func.func @loops(%x: tensor<4xf32>, %n: index, %y: memref<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> tensor<4xf32> {
      %s = scf.for %j = %zero to %i step %one iter_args(%u = %t) -> tensor<4xf32> {
        scf.yield %u : tensor<4xf32>
      }
      scf.yield %s : tensor<4xf32>
    }
    cf.br ^next(%r : tensor<4xf32>)
  ^next(%last: tensor<4xf32>):
    return %last : tensor<4xf32>
  }
  func.func @second(%a: f32, %b: f32) -> f32 {
    return %b : f32
  }
  module @inner {
    func.func @third(%a: index) { return }
  }
  "any.block"() ({
  ^bb0(%outside: f32):
    "any.function"() ({
    ^bb1(%inside: f32):
      "any.use"(%inside, %outside) : (f32, f32) -> ()
    }) {sym_name = "nested"} : () -> ()
  }) : () -> ()
})mlir");
  auto names = [](const Graph &graph) {
    std::vector<std::string> found;
    for (const FunctionGraph &function : graph.functions)
      for (const GraphNode &node : function.nodes)
        if (node.kind == NodeKind::Argument)
          found.push_back(function.name + node.label.str());
    return found;
  };
  std::vector<std::string> picture = names(buildGraph(*parsed.module));
  mlir::AsmState all(*parsed.module);
  EXPECT_EQ(picture, names(parsed.graph()));
  EXPECT_TRUE(llvm::is_contained(picture, "loops%arg1"));
  EXPECT_TRUE(llvm::is_contained(picture, "second%arg0"));
  EXPECT_TRUE(llvm::is_contained(picture, "third%arg0"));
  std::string last;
  auto next = std::next(mlir::cast<mlir::FunctionOpInterface>(parsed.find("func.func")).begin());
  llvm::raw_string_ostream os(last);
  next->getArgument(0).printAsOperand(os, all);
  EXPECT_TRUE(llvm::is_contained(picture, "loops" + last)) << last;
}

} // namespace
