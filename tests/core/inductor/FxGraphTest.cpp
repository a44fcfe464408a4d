// Statements of FX graphs, their types, the mapping to kernels, and the scheduler's log.
#include "core/inductor/FxGraph.h"
#include "core/inductor/FusionLog.h"
#include "core/inductor/FxTypes.h"
#include "core/inductor/Provenance.h"
#include <gtest/gtest.h>

namespace fuselage::inductor {
namespace {

FxGraph graphOf(const std::string &text) {
  auto graph = readFxGraph(text);
  if (graph)
    return std::move(*graph);
  ADD_FAILURE() << takeFailure(graph.takeError()).message;
  return {};
}

const char *const kSmall = R"py(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 8]", w: "f32[8, 8]", s0: "Sym(s7)"):
        # File: a model.py:12 in forward, code: y = x @ w
        mm: "f32[4, 8]" = torch.ops.aten.mm.default(x, w);  w = None
        add: "f32[4, 8]" = torch.ops.aten.add.Tensor(mm, 1.5, alpha = 2);  mm = None

        # No stacktrace found for following nodes
        split = torch.ops.aten.split.Tensor(add, 4, 1);  add = None
        getitem: "f32[4, 4][8, 1]cpu" = split[0]
        getitem_1: "f32[4, 4]" = split[1];  split = None
        double: "Sym(2*s7)" = s0 * 2
        return (getitem, getitem_1, None)
)py";

TEST(FxGraphTest, statementsHaveTargetsOperandsAndPlaces) {
  FxGraph graph = graphOf(kSmall);
  ASSERT_EQ(graph.functions.size(), 1u);
  EXPECT_TRUE(graph.notes.empty());
  const FxFunction &function = graph.functions.front();
  ASSERT_EQ(function.inputs.size(), 3u);
  EXPECT_EQ(function.inputs[2].annotation, "Sym(s7)");
  ASSERT_EQ(function.nodes.size(), 6u);
  const FxNode &mm = function.nodes[0], &add = function.nodes[1], &item = function.nodes[4];
  EXPECT_EQ(mm.target, "aten.mm");
  EXPECT_EQ(mm.operands, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(mm.userFile, "a model.py");
  EXPECT_EQ(mm.userLine, 12u);
  EXPECT_EQ(mm.line, 4u);
  EXPECT_EQ(add.target, "aten.add.Tensor");
  EXPECT_EQ(add.arguments, "(mm, 1.5, alpha = 2)");
  EXPECT_EQ(add.operands, (std::vector<unsigned>{3})); // neither the number nor the keyword
  EXPECT_EQ(function.nodes[2].userFile, "");
  EXPECT_EQ(item.item, 1u);
  EXPECT_EQ(item.operands, (std::vector<unsigned>{5}));
  EXPECT_EQ(function.nodes[5].target, "expression");
  EXPECT_EQ(function.returns, (std::vector<unsigned>{6, 7}));
}

TEST(FxGraphTest, textsAndKeywordsAreNoOperands) {
  FxGraph graph =
      graphOf("class GraphModule(torch.nn.Module):\n"
              "    def forward(self, a: \"f32[2]\", dim: \"f32[2]\"):\n"
              "        b: \"f32[2]\" = torch.ops.aten.op.default(a, 'a; b', dim = 1, memory_format = torch.a)\n"
              "        c: \"b8[]\" = torch.ops.aten.op.default(a == dim)\n"
              "        return b\n");
  EXPECT_EQ(graph.functions[0].nodes[0].operands, (std::vector<unsigned>{0}));
  EXPECT_EQ(graph.functions[0].nodes[1].operands, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(graph.functions[0].returns, (std::vector<unsigned>{2}));
}

TEST(FxGraphTest, submodulesAreFunctionsOfTheirOwn) {
  FxGraph graph = graphOf("class <lambda>(torch.nn.Module):\n"
                          "    def forward(self, p: \"b8[]\", x: \"f32[2]\"):\n"
                          "        true_graph_0 = self.true_graph_0\n"
                          "        cond = torch.ops.higher_order.cond(p, true_graph_0, true_graph_0, (x,))\n"
                          "        getitem: \"f32[2]\" = cond[0]\n"
                          "        return (getitem,)\n"
                          "\n"
                          "    class true_graph_0(torch.nn.Module):\n"
                          "        def forward(self, x: \"f32[2]\"):\n"
                          "            sin: \"f32[2]\" = torch.ops.aten.sin.default(x)\n"
                          "            return (sin,)\n");
  ASSERT_EQ(graph.functions.size(), 2u);
  EXPECT_EQ(graph.functions[0].nodes[0].target, "get_attr");
  EXPECT_EQ(graph.functions[1].name, "true_graph_0");
  EXPECT_EQ(graph.functions[1].nodes.size(), 1u);
}

TEST(FxGraphTest, linesThatAreNoStatementsAreNoted) {
  FxGraph graph = graphOf("class <lambda>(torch.nn.Module):\n"
                          "    def forward(self, x: \"f32[2]\"):\n"
                          "        for i in range(3): os.remove(i)\n"
                          "        return (x,)\n");
  ASSERT_EQ(graph.notes.size(), 1u);
  EXPECT_EQ(graph.notes.front().line, 3u);
  auto none = readFxGraph("import torch\nprint(1)\n");
  ASSERT_FALSE(none);
  EXPECT_NE(takeFailure(none.takeError()).message.find("no FX graph"), std::string::npos);
}

TEST(FxGraphTest, graphsAreToldFromOtherPython) {
  EXPECT_TRUE(isFxGraph(kSmall));
  EXPECT_TRUE(isFxGraph("# AOT ID: ['0']\nfrom torch import tensor\n\nclass GraphModule(torch.nn.Module):\n"));
  EXPECT_FALSE(isFxGraph("import torch\nx = 1\nclass Net(torch.nn.Module):\n"));
  EXPECT_FALSE(isFxGraph("module {}"));
}

TEST(FxGraphTest, typesAreMlirs) {
  EXPECT_EQ(mlirType("f32[2, 16, 64]"), "tensor<2x16x64xf32>");
  EXPECT_EQ(mlirType("bf16[2, s0, 3*s1][1, 1]cuda:0"), "tensor<2x?x?xbf16>");
  EXPECT_EQ(mlirType("b8[]"), "tensor<i1>");
  EXPECT_EQ(mlirType("c64[3]"), "tensor<3xcomplex<f32>>");
  EXPECT_EQ(mlirType("u8[3]"), "tensor<3xui8>");
  EXPECT_EQ(mlirType("f8e4m3fn[0]"), "tensor<0xf8E4M3FN>");
  EXPECT_EQ(mlirType("Sym(s0)"), "index");
  EXPECT_EQ(mlirType("q7[3]"), "none");
  EXPECT_EQ(mlirType("f32[3"), "none");
  EXPECT_EQ(mlirType(""), "none");
}

TEST(ProvenanceTest, kernelsComeInTheirOrder) {
  auto kernels = readProvenance(R"({"preToPost": {}, "cppCodeToPost": {
      "cpp_fused_b_1:10": ["b"], "extern_kernels.mm:9": ["mm"], "cpp_fused_a_0:2": ["a", "c", 7]}})");
  ASSERT_TRUE(bool(kernels));
  ASSERT_EQ(kernels->size(), 3u);
  EXPECT_EQ((*kernels)[0].name, "cpp_fused_a_0");
  EXPECT_EQ((*kernels)[0].nodes, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ((*kernels)[1].name, "extern_kernels.mm");
  EXPECT_FALSE((*kernels)[1].isGenerated());
  EXPECT_TRUE((*kernels)[2].isGenerated());
}

TEST(ProvenanceTest, otherFilesAreRefused) {
  for (const char *text : {"", "[]", "{}", "{\"cppCodeToPost\": 3}", "{\"version\": 9, \"kernels\": {}}"}) {
    auto kernels = readProvenance(text);
    EXPECT_FALSE(bool(kernels)) << text;
    llvm::consumeError(kernels.takeError());
  }
  auto deep = readProvenance(std::string(100'000, '['));
  ASSERT_FALSE(bool(deep));
  EXPECT_NE(takeFailure(deep.takeError()).message.find("too deeply"), std::string::npos);
}

TEST(FusionLogTest, roundsHaveOriginsAndReasons) {
  const char *const at = "V0101 10:00:00.000000 1 torch/_inductor/scheduler.py:1] [0/0] [__fusion] ";
  std::string log;
  for (const char *line :
       {"===== attempting fusion (1/10): 3 nodes =====",
        "  SchedulerNode(name='op0'), Pointwise(['[4]', 'origins=OrderedSet([add, mul])', 'stack'])",
        "  ExternKernelSchedulerNode(name='op1')", "  SchedulerNode(name='op2'), Reduction(['origins={sum_1}'])",
        "cannot fuse op0 with op2: no shared data", "===== attempting fusion (2/10): 3 nodes =====",
        "cannot fuse op0 with op2: no shared data", "cannot fuse op0_op2 with op1: a: b",
        "===== attempting fusion (1/10): 1 nodes =====", "cannot fuse op5 with op6: later"})
    log += at + std::string(line) + "\nsomething else\n";
  EXPECT_TRUE(hasFusionLines(log));
  std::vector<FusionRound> rounds = readFusionLog(log);
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].origins["op0"], (std::vector<std::string>{"add", "mul"}));
  EXPECT_EQ(rounds[0].origins["op2"], (std::vector<std::string>{"sum_1"}));
  EXPECT_EQ(rounds[0].library, (std::vector<std::string>{"op1"}));
  ASSERT_EQ(rounds[0].unfused.size(), 2u);
  EXPECT_EQ(rounds[0].unfused[1].first, (std::vector<std::string>{"op0", "op2"}));
  EXPECT_EQ(rounds[0].unfused[1].reason, "a: b");
  EXPECT_EQ(rounds[1].unfused[0].reason, "later");
}

} // namespace
} // namespace fuselage::inductor
