// Every sample is opened, graphed and stepped through the default pipeline; the small ones are run, too.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/Scene.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "core/stepping/record/Recording.h"
#include "tests/support/Alterations.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

struct Sample {
  const char *name;
  bool runs; ///< static shapes, and small enough to run in a test
};

void PrintTo(const Sample &sample, std::ostream *os) { *os << sample.name; }

class SamplesTest : public testing::TestWithParam<Sample> {
protected:
  void SetUp() override {
    auto opened = session.open(std::string(FUSELAGE_SOURCE_DIR "/samples/") + GetParam().name + ".mlir");
    ASSERT_TRUE(static_cast<bool>(opened)) << llvm::toString(opened.takeError());
    module = std::move(*opened);
  }

  void expectSteps(const char *target) {
    RecordOptions options;
    options.target = target;
    auto recording = record(session, *module, options);
    ASSERT_TRUE(static_cast<bool>(recording)) << llvm::toString(recording.takeError());
    ASSERT_EQ(recording->snapshots.size(), recording->steps.size() + 1);
    EXPECT_GE(recording->steps.size(), 9u);
    for (const Step &step : recording->steps) {
      EXPECT_FALSE(step.failed) << step.name;
      EXPECT_FALSE(step.teaches.empty()) << step.name;
      for (const Diagnostic &diagnostic : step.diagnostics)
        if (diagnostic.severity == Diagnostic::Severity::Error)
          ADD_FAILURE() << step.name << ": " << formatDiagnostic(diagnostic);
    }
  }

  void expectRuns(const std::string &device) {
    RunOptions options;
    options.device = device;
    options.repeat = 2;
    options.warmup = 0;
    auto report = runModule(session, *module, options);
    ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
    EXPECT_FALSE(report->kernels.empty());
    EXPECT_FALSE(report->outputs.empty());
    for (const KernelReport &kernel : report->kernels)
      EXPECT_LT(kernel.check.maxRelError, 1e-4) << kernel.dispatch;
    for (const OutputReport &output : report->outputs)
      EXPECT_LT(output.check.maxRelError, 1e-4);
    EXPECT_TRUE(report->ok()) << report->why;
  }

  /// Each kernel whose result has an element that is twice as large, zero, or its neighbour's is
  /// wrong.
  void expectFindsAlterations(const std::string &device) {
    RunOptions options;
    options.device = device;
    options.repeat = 1;
    for (Alteration how : {Alteration::Doubled, Alteration::Zeroed, Alteration::Swapped}) {
      options.alter = [how](HostTensor &result) { result = altered(result, how, largestOf(result)); };
      auto report = runModule(session, *module, options);
      ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
      EXPECT_EQ(report->verdict, CheckVerdict::Wrong);
      unsigned dispatches = 0;
      for (const KernelReport &kernel : report->kernels)
        if (kernel.kind == KernelReport::Kind::Dispatch) {
          ++dispatches;
          EXPECT_EQ(kernel.check.verdict, CheckVerdict::Wrong)
              << kernel.dispatch << " " << int(how) << " " << kernel.check.why;
        }
      EXPECT_GT(dispatches, 0u);
      EXPECT_FALSE(report->outputs.empty());
      for (const OutputReport &output : report->outputs)
        EXPECT_EQ(output.check.verdict, CheckVerdict::Ok); // the program goes on with what it had
    }
  }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

bool haveVulkan() {
  for (const DeviceInfo &device : listDevices())
    if (device.id == "vulkan:0")
      return true;
  return false;
}

TEST_P(SamplesTest, HasAGraph) {
  Graph graph = buildGraph(*module, PrintedModule(*module));
  ASSERT_EQ(graph.functions.size(), 1u);
  EXPECT_FALSE(graph.functions[0].edges.empty());
  EXPECT_FALSE(graph.functions[0].dispatches.empty());
  auto scene = buildScene(graph, {});
  ASSERT_TRUE(static_cast<bool>(scene)) << llvm::toString(scene.takeError());
  EXPECT_FALSE(scene->nodes.empty());
}

TEST_P(SamplesTest, EveryEdgeHasAVerdict) {
  for (const FusionPolicy &policy : {conservativePolicy(), aggressivePolicy(), noFusionPolicy()}) {
    std::vector<BodyVerdicts> bodies = judgeFusion(*module, policy);
    ASSERT_EQ(bodies.size(), 1u);
    for (const BodyVerdicts &body : bodies) {
      EXPECT_FALSE(body.edges.empty());
      EXPECT_FALSE(body.dispatches.empty());
      for (const EdgeVerdict &edge : body.edges)
        EXPECT_EQ(edge.refusals.empty(), edge.verdict != Verdict::Separate);
    }
  }
}

TEST_P(SamplesTest, StepsToSpirv) { expectSteps("spirv"); }
TEST_P(SamplesTest, StepsToPtx) { expectSteps("ptx"); }

TEST_P(SamplesTest, RunsOnTheHost) {
  if (!GetParam().runs)
    GTEST_SKIP() << "stepped only";
  expectRuns("host");
}

TEST_P(SamplesTest, RunsOnVulkan) {
  if (!GetParam().runs)
    GTEST_SKIP() << "stepped only";
  if (!haveVulkan())
    GTEST_SKIP() << "no Vulkan device, not even lavapipe";
  expectRuns("vulkan:0");
}

TEST_P(SamplesTest, AWrongElementIsFoundOnTheHost) {
  if (!GetParam().runs)
    GTEST_SKIP() << "stepped only";
  expectFindsAlterations("host");
}

TEST_P(SamplesTest, AWrongElementIsFoundOnVulkan) {
  if (!GetParam().runs || !haveVulkan())
    GTEST_SKIP() << "stepped only, or no Vulkan device";
  expectFindsAlterations("vulkan:0");
}

constexpr Sample samples[] = {{"bert_attention", true},
                              {"bert_attention_16x512", false},
                              {"matmul_transpose_bias", true},
                              {"int4_dequant_matmul", false},
                              {"int4_dequant_matmul_small", true},
                              {"softmax", true},
                              {"batch_matmul", true},
                              {"mlp_gelu", true},
                              {"conv_bias_relu", true},
                              {"dynamic_matmul", false},
                              {"transpose_slice_reshape", true}};

INSTANTIATE_TEST_SUITE_P(All, SamplesTest, testing::ValuesIn(samples),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Samples, AreAllInTheList) {
  std::set<std::string> listed, found;
  for (const Sample &sample : samples)
    listed.insert(sample.name);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(FUSELAGE_SOURCE_DIR "/samples", error), end; file != end && !error;
       file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".mlir")
      found.insert(llvm::sys::path::stem(file->path()).str());
  EXPECT_FALSE(error) << error.message();
  EXPECT_EQ(listed, found);
}

TEST(DynamicSample, RunsWithSizesOfAnybodysChoice) {
  Session session(allDialects());
  auto module = session.open(FUSELAGE_SOURCE_DIR "/samples/dynamic_matmul.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  RunOptions options;
  options.repeat = 1;
  auto chosen = runModule(session, **module, options);
  ASSERT_TRUE(static_cast<bool>(chosen)) << llvm::toString(chosen.takeError());
  EXPECT_TRUE(chosen->ok()) << chosen->why;
  EXPECT_NE(chosen->remarks.at(0).message.find("arg0.0 = 32"), std::string::npos);
  options.sizes["arg0.0"] = 200;
  auto report = runModule(session, **module, options);
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->ok()) << report->why;
}

} // namespace
