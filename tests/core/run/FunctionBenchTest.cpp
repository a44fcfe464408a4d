#include "core/run/FunctionBench.h"
#include "core/device/HostProcessor.h"
#include "core/registration/Registration.h"
#include "core/runtime/host/RepeatPlan.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

static const char *twice = R"(
  func.func @twice(%a: tensor<64xf32>) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %d = linalg.add ins(%a, %a : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    return %d : tensor<64xf32>
  })";

// What a tuner compares are samples: several launches on the host are one of them, with the first ones, which pay for a
// fresh copy of the process, left out.
TEST(FunctionBench, aSampleIsOneNumberOfLaunchesThatAreWarm) {
  Session session(allDialects());
  auto module = parse(session, twice);
  RunOptions options;
  options.device = "host";
  auto bench = valueOf(FunctionBench::create(*module, options, FunctionBench::Kernels::OfDispatch));
  ASSERT_TRUE(bench);
  auto candidate = valueOf(bench->prepare(*module));
  ASSERT_TRUE(candidate);
  ASSERT_FALSE(bench->launch(*candidate, {.repeat = 3, .warmup = 1}));
  EXPECT_EQ(FunctionBench::samplesOf(*candidate).size(), 3u);
  ASSERT_FALSE(bench->sample(*candidate));
  std::vector<double> samples = FunctionBench::samplesOf(*candidate);
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_GT(samples.back(), 0);
  RunReport report = valueOf(bench->report(*candidate));
  EXPECT_TRUE(report.ok()) << report.why;
}

// A schedule's own loops are what runs; where it formed a dispatch, that is compiled as dispatches are, for all
// threads.
TEST(FunctionBench, dispatchesThatAScheduleFormsAreKernelsOnTheHost) {
  Session session(allDialects());
  std::string many = twice;
  for (size_t at = 0; (at = many.find("<64x", at)) != std::string::npos;)
    many.replace(at, 3, "<1048576");
  auto plain = parse(session, many);
  auto formed = parse(session, R"(
  func.func @twice(%a: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %e = tensor.empty() : tensor<1048576xf32>
    %r = flow.dispatch.region -> (tensor<1048576xf32>) {
      %d = linalg.add ins(%a, %a : tensor<1048576xf32>, tensor<1048576xf32>) outs(%e : tensor<1048576xf32>) -> tensor<1048576xf32>
      flow.return %d : tensor<1048576xf32>
    }
    return %r : tensor<1048576xf32>
  })");
  ASSERT_TRUE(formed);
  RunOptions options;
  options.device = "host";
  auto bench = valueOf(FunctionBench::create(*plain, options, FunctionBench::Kernels::OfSchedule));
  ASSERT_TRUE(bench);
  for (auto [module, threads] : {std::pair(*plain, 1u), std::pair(*formed, hostProcessor().threads)}) {
    auto candidate = valueOf(bench->prepare(module));
    ASSERT_TRUE(candidate);
    ASSERT_FALSE(bench->sample(*candidate));
    RunReport report = valueOf(bench->report(*candidate));
    EXPECT_TRUE(report.ok()) << report.why;
    ASSERT_EQ(report.kernels.size(), 1u);
    EXPECT_EQ(report.kernels[0].block[0], threads);
    bool isSaid = hostProcessor().threads > 1 && threads == 1;
    EXPECT_EQ(report.kernels[0].oneThread.find("linalg.add") != std::string::npos, isSaid)
        << report.kernels[0].oneThread;
    EXPECT_EQ(report.remarks.size(), isSaid ? 1u : 0u);
  }
}
