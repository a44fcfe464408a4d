// Which kernel computes what, and in which order.
#include "core/inductor/KernelPlan.h"
#include "core/inductor/ModuleText.h"
#include <gtest/gtest.h>

namespace fuselage::inductor {
namespace {

FxFunction functionOf(const std::string &statements) {
  auto graph = readFxGraph("class <lambda>(torch.nn.Module):\n"
                           "    def forward(self, x: \"f32[8]\", w: \"f32[8]\"):\n" +
                           statements);
  if (graph)
    return graph->functions.front();
  ADD_FAILURE() << takeFailure(graph.takeError()).message;
  return {};
}

std::string node(const std::string &name, const std::string &op, const std::string &operands) {
  return "        " + name + ": \"f32[8]\" = torch.ops.aten." + op + ".default(" + operands + ")\n";
}

KernelPlan planOf(const FxFunction &function, const std::vector<InductorKernel> &kernels) {
  auto plan = planKernels(function, kernels);
  if (plan)
    return std::move(*plan);
  ADD_FAILURE() << takeFailure(plan.takeError()).message;
  return {};
}

/// The kernels of the units, in order.
std::vector<int> orderOf(const KernelPlan &plan) {
  std::vector<int> order;
  for (const Unit &unit : plan.units)
    order.push_back(unit.kernel);
  return order;
}

std::string moduleOf(const FxFunction &function, std::vector<InductorKernel> kernels) {
  CompiledGraph graph{
      .name = "g", .file = "g.py", .graph = {.functions = {function}, .notes = {}}, .kernels = std::move(kernels)};
  ModuleText text("a test");
  EXPECT_FALSE(bool(text.add(graph)));
  return text.take();
}

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(KernelPlanTest, kernelsStandAfterWhatTheyRead) {
  FxFunction function = functionOf(node("a", "sin", "x") + node("b", "cos", "a") + node("c", "exp", "b"));
  // As numbered by the file, the readers come first.
  KernelPlan plan = planOf(function, {{"cpp_fused_c", {"c"}}, {"cpp_fused_b", {"b"}}, {"cpp_fused_a", {"a"}}});
  EXPECT_EQ(orderOf(plan), (std::vector<int>{2, 1, 0}));
  EXPECT_TRUE(plan.unplaced.empty());
}

TEST(KernelPlanTest, viewsAreComputedWhereTheyAreRead) {
  FxFunction function = functionOf(node("p", "permute", "w") + node("a", "mm", "x, p") + node("b", "mm", "a, p") +
                                   "        return (b, p)\n");
  std::string text = moduleOf(function, {{"extern_kernels.mm", {"a"}}, {"extern_kernels.mm", {"b"}}});
  EXPECT_EQ(count(text, "\"aten.permute\""), 3u) << text; // in both kernels, and for the function's end
  EXPECT_EQ(count(text, "flow.dispatch.region"), 2u);
}

TEST(KernelPlanTest, workInNoKernelStandsForItself) {
  FxFunction function = functionOf(node("a", "sin", "x") + node("b", "cos", "a") + node("c", "exp", "b"));
  KernelPlan plan = planOf(function, {{"cpp_fused_a", {"a"}}, {"cpp_fused_c", {"c", "no such node"}}});
  EXPECT_EQ(orderOf(plan), (std::vector<int>{0, -1, 1}));
  EXPECT_EQ(plan.unplaced, (std::vector<std::string>{"b"}));
}

TEST(KernelPlanTest, aKernelAroundOthersIsCut) {
  FxFunction function = functionOf(node("a", "sin", "x") + node("b", "cos", "a") + node("c", "exp", "b"));
  KernelPlan plan = planOf(function, {{"cpp_fused_ac", {"a", "c"}}, {"cpp_fused_b", {"b"}}});
  EXPECT_EQ(orderOf(plan), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(plan.splits, 1u);
}

TEST(KernelPlanTest, whatIsComputedTwiceIsInBothKernels) {
  FxFunction function = functionOf(node("a", "sin", "x") + node("b", "cos", "a") + node("c", "exp", "a"));
  std::string text = moduleOf(function, {{"cpp_fused_b", {"a", "b"}}, {"cpp_fused_c", {"a", "c"}}});
  EXPECT_EQ(count(text, "\"aten.sin\""), 2u) << text;
}

TEST(KernelPlanTest, generatedKernelsPrepareWhatALibraryComputes) {
  FxFunction function = functionOf(node("v", "convolution", "x, w") + node("r", "relu", "v"));
  std::string text = moduleOf(
      function,
      {{"cpp_fused_convolution_0", {"v"}}, {"extern_kernels.convolution", {"v"}}, {"cpp_fused_relu_1", {"v", "r"}}});
  EXPECT_EQ(count(text, "\"aten.convolution\""), 1u) << text;
  EXPECT_EQ(count(text, "\"fx.prepare\""), 1u);
  EXPECT_EQ(count(text, "flow.dispatch.region"), 3u);
}

TEST(KernelPlanTest, madeUpGraphsEnd) {
  // Each kernel reads each view of a long chain: as many copies as there are of both.
  std::string statements = node("v0", "view", "x");
  for (int i = 1; i < 6000; ++i)
    statements += node("v" + std::to_string(i), "view", "v" + std::to_string(i - 1));
  std::vector<InductorKernel> kernels;
  for (int i = 0; i < 6000; ++i) {
    statements += node("k" + std::to_string(i), "sin", "v5999");
    kernels.push_back({"cpp_fused_" + std::to_string(i), {"k" + std::to_string(i)}});
  }
  auto plan = planKernels(functionOf(statements), kernels);
  ASSERT_FALSE(bool(plan));
  EXPECT_NE(takeFailure(plan.takeError()).message.find("too many kernels"), std::string::npos);
}

TEST(KernelPlanTest, crossedKernelsEnd) {
  std::string statements;
  std::vector<InductorKernel> kernels(2);
  kernels[0].name = "cpp_fused_0";
  kernels[1].name = "cpp_fused_1";
  for (int i = 0; i < 1000; ++i) {
    statements += node("a" + std::to_string(i), "sin", i == 0 ? "x" : "a" + std::to_string(i - 1));
    kernels[i % 2].nodes.push_back("a" + std::to_string(i));
  }
  auto plan = planKernels(functionOf(statements), kernels);
  ASSERT_FALSE(bool(plan));
  EXPECT_NE(takeFailure(plan.takeError()).message.find("in circles"), std::string::npos);
}

TEST(ModuleTextTest, resultsOfKernelsNameTheirDynamicSizes) {
  auto graph = readFxGraph("class <lambda>(torch.nn.Module):\n"
                           "    def forward(self, s0: \"Sym(s0)\", x: \"f32[s0, 8]\"):\n"
                           "        a: \"f32[s0, 8]\" = torch.ops.aten.sin.default(x)\n"
                           "        b: \"f32[2*s0, 4]\" = torch.ops.aten.cat.default([a, a])\n"
                           "        return (b,)\n");
  ASSERT_TRUE(bool(graph));
  std::string text = moduleOf(graph->functions.front(), {{"cpp_fused_a", {"a"}}, {"cpp_fused_b", {"b"}}});
  EXPECT_NE(text.find("-> (tensor<?x8xf32>{%in0})"), std::string::npos) << text;
  EXPECT_NE(text.find("-> (tensor<?x4xf32>{%size1})"), std::string::npos) << text;
  EXPECT_EQ(count(text, "\"fx.size\"() {size = \"2*s0\"}"), 1u) << text;
}

TEST(ModuleTextTest, hostileNamesAreQuoted) {
  FxFunction function = functionOf(node("a", "sin", "x") + "        return (a,)\n");
  function.nodes[0].name = "a\"\n) loc(\x01\xff";
  function.nodes[0].target = "aten.\"sin\n{";
  function.nodes[0].arguments = "\\\"\t";
  std::string text = moduleOf(function, {{"k\"\n}", {function.nodes[0].name}}});
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_NE(text.find("\"aten._sin__\""), std::string::npos) << text;
  EXPECT_NE(text.find("loc(\"k\\22\\0A}\")"), std::string::npos) << text;
}

} // namespace
} // namespace fuselage::inductor
