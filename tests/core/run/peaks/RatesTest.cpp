// What is predicted of a device, from what was measured there.
#include "core/run/peaks/RateFit.h"
#include "core/run/peaks/SampleCache.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

using namespace fuselage;
using namespace fuselage::test;
using message::DispatchSample;

namespace {

DispatchSample<> sampleOf(const char *kind, double bytes, double us, double flops = 0) {
  return {.kind = kind, .arithmetic = "f32", .launches = 1, .flops = flops, .bytes = bytes, .predictedUs = 1, .us = us};
}

/// 5 us a launch and 20 GB/s.
double usOf(double bytes) { return 5 + bytes / 20e3; }

} // namespace

TEST(DeviceRates, KindsAreReadFromNames) {
  EXPECT_EQ(kernelKind("forward_dispatch_0_transpose_768x768"), "transpose");
  EXPECT_EQ(kernelKind("dispatch_12_batch_matmul_12x128x64xD"), "batch_matmul");
  EXPECT_EQ(kernelKind("batch_matmul_1x128"), "batch_matmul");
  EXPECT_EQ(kernelKind("fill"), "fill");
  EXPECT_EQ(kernelKind("f_dispatch_3"), "other");
  EXPECT_EQ(kernelKind(""), "other");
}

TEST(DeviceRates, PredictLaunchesAndBytes) {
  DeviceRates rates;
  EXPECT_EQ(rates.source(), "assumed");
  EXPECT_DOUBLE_EQ(rates.dispatchUs("copy", 500'000), 4 + 1);
  EXPECT_EQ(rates.dispatchUs("copy", -1), -1);
  rates.device = "vulkan:0";
  rates.samples = 1;
  rates.kinds["transpose"] = {.ratio = 3, .samples = 1};
  EXPECT_EQ(rates.source(), "by what was measured on vulkan:0, 1 sample");
  EXPECT_DOUBLE_EQ(rates.dispatchUs("transpose", 500'000), 15);
}

TEST(RateFit, FindsLaunchAndBandwidthBesideWhatIsOff) {
  message::DeviceSamples<> samples;
  samples.device = "fake:0";
  EXPECT_FALSE(fitRates(samples, nullptr).isMeasured());
  for (double bytes : {1e3, 1e4, 1e5, 3e5, 1e6, 2e6, 4e6, 8e6})
    samples.dispatches.push_back(sampleOf("copy", bytes, usOf(bytes)));
  samples.dispatches.push_back(sampleOf("copy", 2e6, 40 * usOf(2e6))); // while something else ran
  samples.dispatches.push_back(sampleOf("matmul", 1e6, 9e4, 1e9));     // computes
  DeviceRates rates = fitRates(samples, nullptr);
  EXPECT_EQ(rates.samples, 9u);
  EXPECT_EQ(rates.device, "fake:0");
  EXPECT_NEAR(rates.launchUs, 5, 0.3);
  EXPECT_NEAR(rates.gbps, 20, 1);
  EXPECT_EQ(rates.kinds.count("matmul"), 0u);
  EXPECT_NEAR(rates.kinds["copy"].ratio, 1, 0.05);
}

TEST(RateFit, KindsThatAreSlowerForTheirBytesSaySo) {
  message::DeviceSamples<> samples;
  for (double bytes : {1e4, 1e5, 3e5, 1e6, 2e6, 4e6, 8e6})
    samples.dispatches.push_back(sampleOf("elementwise", bytes, usOf(bytes)));
  for (double bytes : {1e5, 1e6, 4e6})
    samples.dispatches.push_back(sampleOf("transpose", bytes, 6 * usOf(bytes)));
  DeviceRates rates = fitRates(samples, nullptr);
  EXPECT_NEAR(rates.kinds["transpose"].ratio, 6, 0.5);
  EXPECT_EQ(rates.kinds["transpose"].samples, 3u);
  // To remove a transpose is worth six times what a copy of its bytes takes.
  EXPECT_NEAR(rates.dispatchUs("transpose", 1'000'000), 6 * usOf(1e6), 0.1 * 6 * usOf(1e6));
}

/// What is assumed of a GPU says nothing of a processor a hundred times slower.
TEST(RateFit, AFewSamplesOutweighWhatIsAssumed) {
  message::DeviceSamples<> samples;
  for (double bytes : {4'700'000.0, 786'000.0, 1'570'000.0})
    samples.dispatches.push_back(sampleOf("transpose", bytes, 50 + bytes / 2e3));
  DeviceRates rates = fitRates(samples, nullptr);
  EXPECT_NEAR(rates.gbps, 2, 0.4);
  EXPECT_NEAR(rates.dispatchUs("transpose", 4'700'000), 2400, 500);
}

TEST(RateFit, AMeasuredPeakCountsAsASample) {
  message::DeviceSamples<> samples;
  samples.dispatches = {sampleOf("fill", 64, 7)}; // says nothing of bandwidth
  message::DevicePeaks<> peaks;
  peaks.peaks = {{.kind = message::PeakKind::Bandwidth, .name = kMemoryPeak, .rate = 12, .workingSet = 0, .how = {}}};
  EXPECT_NEAR(fitRates(samples, &peaks).gbps, 12, 0.1);
  EXPECT_NEAR(fitRates(samples, nullptr).gbps, kAssumedGbps, 1);
  EXPECT_NEAR(fitRates(samples, &peaks).launchUs, 7, 0.1);
}

class SampleCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("samples", folder_));
    info_.id = "fake:0";
    info_.name = "fake";
    info_.driver = "1.0";
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }
  llvm::SmallString<128> folder_;
  DeviceInfo info_;
};

TEST_F(SampleCacheTest, KeepsOneOfLikeDispatchesAndEveryFusion) {
  SampleCache cache((folder_ + "/a/b").str());
  EXPECT_FALSE(cache.rates(info_).isMeasured());
  message::DeviceSamples<> added;
  added.dispatches = {sampleOf("copy", 1e6, 70), sampleOf("copy", 2e6, 120)};
  added.fusions = {{.part = "fuse-x",
                    .when = "now",
                    .kept = true,
                    .dispatches = 1,
                    .bytes = 10,
                    .predictedUs = 5,
                    .us = 6,
                    .noise = 1}};
  ASSERT_FALSE(static_cast<bool>(cache.add(info_, added)));
  added.dispatches = {sampleOf("copy", 1e6, 50)};
  ASSERT_FALSE(static_cast<bool>(cache.add(info_, added)));
  message::DeviceSamples<> read = cache.read(info_);
  ASSERT_EQ(read.dispatches.size(), 2u);
  EXPECT_EQ(read.dispatches.back().us, 50); // the newest, last
  ASSERT_EQ(read.fusions.size(), 2u);
  EXPECT_EQ(read.fusions.front().predictedUs, 5);
  EXPECT_EQ(cache.rates(info_).samples, 2u);
  // A line a number, for people.
  std::stringstream text;
  text << std::ifstream(cache.pathOf(info_)).rdbuf();
  EXPECT_NE(text.str().find("\"kind\": \"copy\""), std::string::npos) << text.str();
  DeviceInfo other = info_;
  other.driver = "2.0";
  EXPECT_TRUE(cache.read(other).dispatches.empty());
}

TEST_F(SampleCacheTest, WhatIsDamagedIsNotThere) {
  SampleCache cache(folder_.str().str());
  message::DeviceSamples<> good;
  good.dispatches = {sampleOf("copy", 1e6, 70)};
  for (const char *text : {"", "{", "[]", "{\"version\": 1}", "\xff\xfe", "{\"version\": 7, \"dispatches\": 3}"}) {
    std::ofstream(cache.pathOf(info_), std::ios::trunc) << text;
    EXPECT_TRUE(cache.read(info_).dispatches.empty()) << text;
    ASSERT_FALSE(static_cast<bool>(cache.add(info_, good)));
    EXPECT_EQ(cache.read(info_).dispatches.size(), 1u) << text;
  }
  // Numbers that make no sense go alone.
  message::DeviceSamples<> bad = good;
  bad.dispatches.push_back(sampleOf("copy", -3, 70));
  bad.dispatches.push_back(sampleOf("copy", 5e6, std::nan("")));
  bad.dispatches.push_back(sampleOf("copy", 6e6, 0));
  bad.dispatches.push_back(sampleOf("", 7e6, 5));
  ASSERT_FALSE(static_cast<bool>(cache.add(info_, bad)));
  EXPECT_EQ(cache.read(info_).dispatches.size(), 1u);
}

TEST_F(SampleCacheTest, WritersAtTheSameTimeLoseNothing) {
  SampleCache cache(folder_.str().str());
  constexpr int writers = 6, rounds = 8;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer)
    threads.emplace_back([&, writer] {
      for (int round = 0; round < rounds; ++round) {
        message::DeviceSamples<> added;
        added.dispatches = {sampleOf("copy", 1e6 + writer * rounds + round, 70)};
        llvm::consumeError(cache.add(info_, added));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(cache.read(info_).dispatches.size(), size_t(writers * rounds));
}

TEST_F(SampleCacheTest, TheNewestStay) {
  SampleCache cache(folder_.str().str());
  message::DeviceSamples<> added;
  for (size_t i = 0; i < SampleCache::mostDispatches + 5; ++i)
    added.dispatches.push_back(sampleOf("copy", double(i + 1), 70));
  ASSERT_FALSE(static_cast<bool>(cache.add(info_, added)));
  message::DeviceSamples<> read = cache.read(info_);
  ASSERT_EQ(read.dispatches.size(), SampleCache::mostDispatches);
  EXPECT_EQ(read.dispatches.front().bytes, 6);
}

TEST_F(SampleCacheTest, AFolderThatTakesNothingIsNamed) {
  std::ofstream((folder_ + "/file").str()) << "x";
  SampleCache cache((folder_ + "/file/below").str());
  message::DeviceSamples<> added;
  added.dispatches = {sampleOf("copy", 1e6, 70)};
  std::string why = takeFailure(cache.add(info_, added)).message;
  EXPECT_NE(why.find("/file/below"), std::string::npos) << why;
}
