#include "core/run/Timing.h"
#include <gtest/gtest.h>

using namespace fuselage;

TEST(Timing, MedianAndPercentile) {
  KernelReport report;
  std::vector<double> samples;
  for (int i = 20; i >= 1; --i)
    samples.push_back(i);
  setTimes(report, samples);
  EXPECT_EQ(report.minUs, 1);
  EXPECT_EQ(report.medianUs, 10.5);
  EXPECT_EQ(report.p95Us, 19);
  EXPECT_EQ(report.launches, 20u);
  EXPECT_EQ(report.samples, samples); // in the order of the launches
  KernelReport many;
  setTimes(many, std::vector<double>(2 * kKeptSamples + 1, 3));
  EXPECT_EQ(many.launches, 2 * kKeptSamples + 1);
  EXPECT_LE(many.samples.size(), kKeptSamples);
  EXPECT_GT(many.samples.size(), kKeptSamples / 2);
  setTimes(report, {5});
  EXPECT_EQ(report.minUs, 5);
  EXPECT_EQ(report.medianUs, 5);
  EXPECT_EQ(report.p95Us, 5);

  std::vector<KernelReport> reports(2, report);
  setRates(reports, {.flops = 20000, .bytesRead = 3000, .bytesWritten = 1000});
  EXPECT_DOUBLE_EQ(reports[1].gflops, 2);
  EXPECT_DOUBLE_EQ(reports[1].gbps, 0.4);
  reports[0].gflops = -1;
  setRates(reports, {.flops = -1, .bytesRead = -1, .bytesWritten = 0});
  EXPECT_EQ(reports[0].gflops, -1);
}

TEST(Timing, RepeatsStopWhenTimeIsSpentButOneIsTimed) {
  auto count = [](unsigned warmup, unsigned repeat, double each) {
    RepeatPlan plan({.repeat = repeat, .warmup = warmup, .seconds = 4});
    std::pair<unsigned, unsigned> done;
    while (plan.more()) {
      bool timed = plan.timed();
      ++(timed ? done.second : done.first);
      plan.ran(each, timed);
    }
    return done;
  };
  using Counts = std::pair<unsigned, unsigned>;
  EXPECT_EQ(count(3, 20, 0.001), Counts(3, 20));
  EXPECT_EQ(count(3, 0, 0.001), Counts(3, 1));
  EXPECT_EQ(count(3, 20, 60), Counts(1, 1));
  EXPECT_EQ(count(0, 20, 1), Counts(0, 4));
}

TEST(Timing, TheFirstLaunchIsNeverTimed) {
  RunOptions options;
  options.repeat = 1;
  EXPECT_EQ(options.counts().warmup, 1u);
  options.warmup = 0;
  EXPECT_EQ(options.counts().warmup, 1u);
  options.repeat = 20;
  EXPECT_EQ(options.counts().warmup, 1u);
  options.warmup = 3;
  EXPECT_EQ(options.counts().warmup, 3u);
}

TEST(Timing, ASumOfManyTimesThePassIsDoubted) {
  RunReport report;
  report.device = "vulkan:0";
  report.kernels.resize(2);
  for (KernelReport &kernel : report.kernels) {
    kernel.clock = Clock::Device;
    kernel.medianUs = 60;
  }
  EXPECT_EQ(report.doubtOfSum(), "");
  report.wallUs = 12.5;
  EXPECT_EQ(report.timingNote(), "");
  report.wallUs = 10;
  EXPECT_EQ(report.doubtOfSum().find("warning: the sum of the medians is 12 times what one whole pass took"), 0u);
  EXPECT_EQ(report.timingNote(), report.doubtOfSum());
  report.kernels[0].clock = Clock::Host;
  EXPECT_NE(report.timingNote().find("by the host's; warning: the sum"), std::string::npos);
}

TEST(Timing, SumsSayWhoseClockTheyAreBy) {
  RunReport report;
  report.device = "vulkan:0";
  auto add = [&](const char *device, Clock clock) {
    KernelReport kernel;
    kernel.device = device;
    kernel.clock = clock;
    kernel.medianUs = 2;
    report.kernels.push_back(kernel);
  };
  add("vulkan:0", Clock::Device);
  EXPECT_EQ(report.timingNote(), "");
  add("host", Clock::Host);
  EXPECT_EQ(report.sumUs(), 4);
  EXPECT_NE(report.timingNote().find("by the host's"), std::string::npos);
  add("vulkan:0", Clock::Host);
  EXPECT_NE(report.timingNote().find("vulkan:0 has no timestamps"), std::string::npos);
}
