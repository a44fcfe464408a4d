// What a device can do at most, and how near dispatches come to it.
#include "core/registration/Registration.h"
#include "core/run/peaks/HostBlas.h"
#include "core/run/peaks/Limits.h"
#include "core/run/peaks/MicroKernel.h"
#include "core/run/peaks/PeakCache.h"
#include "core/run/peaks/PeakMeasure.h"
#include "core/runtime/device/HostDevice.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <fstream>

using namespace fuselage;
using namespace fuselage::test;
using message::LimitKind;
using message::PeakKind;
using message::ShareBound;

namespace {

/// 10 GB/s, 40 GB/s for up to 1 MB, 100 GFLOP/s.
message::DevicePeaks<> somePeaks() {
  message::DevicePeaks<> peaks;
  peaks.peaks = {{.kind = PeakKind::Bandwidth, .name = kMemoryPeak, .rate = 10, .workingSet = 64'000'000, .how = "x"},
                 {.kind = PeakKind::Bandwidth, .name = kCachePeak, .rate = 40, .workingSet = 1'000'000, .how = "x"},
                 {.kind = PeakKind::Compute, .name = "f32", .rate = 100, .workingSet = 0, .how = "x"},
                 {.kind = PeakKind::Compute, .name = "f16", .rate = 200, .workingSet = 0, .how = "x"},
                 {.kind = PeakKind::Compute, .name = "f16 matrix", .rate = 900, .workingSet = 0, .how = "x"}};
  return peaks;
}

/// A device of memory alone: launches take what a test says, and write what it says.
class FakeDevice : public Device {
public:
  FakeDevice() {
    info_.id = "fake:0";
    info_.name = "fake";
    info_.api = "fake";
    info_.maxSharedBytes = 32 << 10;
    info_.maxThreads = 256;
    info_.software = true;
  }
  struct Buffer : DeviceBuffer {
    using DeviceBuffer::DeviceBuffer;
    std::vector<uint8_t> bytes = std::vector<uint8_t>(byteCount());
  };
  const DeviceInfo &info() const override { return info_; }
  TargetOptions targetOptions() const override { return {}; }
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override { return std::make_unique<Buffer>(bytes); }
  Status upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) override {
    llvm::copy(bytes, static_cast<Buffer &>(buffer).bytes.begin());
    return Status::success();
  }
  Status download(DeviceBuffer &buffer, std::span<uint8_t> bytes) override {
    std::copy_n(static_cast<Buffer &>(buffer).bytes.begin(), bytes.size(), bytes.begin());
    return Status::success();
  }
  Result<std::unique_ptr<DeviceKernel>> load(const CompiledKernel &kernel) override {
    return std::make_unique<DeviceKernel>(kernel);
  }
  Result<std::vector<double>> run(std::span<const Launch> launches, const WaitLimits &) override {
    for (const Launch &launch : launches) {
      std::vector<uint8_t> &bytes = static_cast<Buffer *>(launch.buffers.back())->bytes;
      std::fill_n(reinterpret_cast<float *>(bytes.data()), bytes.size() / sizeof(float), writes);
    }
    ++runs;
    return std::vector<double>(launches.size(), us + runs);
  }
  float writes = -1;
  double us = 100;
  unsigned runs = 0;

private:
  DeviceInfo info_;
};

DispatchWork workOf(double flops, double bytes, double us) {
  return {.flops = flops, .bytes = bytes, .arithmetic = "f32", .us = us};
}

} // namespace

TEST(Limits, TheLongerOfMovingAndComputing) {
  message::DevicePeaks<> peaks = somePeaks();
  message::Limit<> memory = limitOf(workOf(1e6, 1e6, 200), peaks, -1); // 100 us and 10 us
  EXPECT_EQ(memory.kind, LimitKind::Memory);
  EXPECT_EQ(memory.peak, "memory");
  EXPECT_DOUBLE_EQ(memory.us, 100);
  EXPECT_DOUBLE_EQ(memory.share, 0.5);
  EXPECT_EQ(memory.bound, ShareBound::Exact);
  message::Limit<> compute = limitOf(workOf(1e8, 1e6, 2000), peaks, -1);
  EXPECT_EQ(compute.kind, LimitKind::Compute);
  EXPECT_DOUBLE_EQ(compute.us, 1000);
  DispatchWork half = workOf(1.8e9, 1e6, 4000);
  half.arithmetic = "f16";
  EXPECT_EQ(limitOf(half, peaks, -1).peak, "f16 matrix");
  DispatchWork warm = workOf(0, 4e5, 20);
  warm.warmCaches = true;
  EXPECT_EQ(limitOf(warm, peaks, -1).peak, kCachePeak);
  EXPECT_DOUBLE_EQ(limitOf(warm, peaks, -1).share, 0.5);
  warm.bytes = 4e6; // more than fits
  EXPECT_EQ(limitOf(warm, peaks, -1).peak, kMemoryPeak);
  peaks.peaks.push_back(
      {.kind = PeakKind::Bandwidth, .name = kLevel1Peak, .rate = 200, .workingSet = 50'000, .how = "x"});
  warm.bytes = 4e4;
  EXPECT_EQ(limitOf(warm, peaks, -1).peak, kLevel1Peak);
  warm.warmCaches = false; // it was not there before the launch
  EXPECT_EQ(limitOf(warm, peaks, -1).peak, kMemoryPeak);
}

TEST(Limits, ALaunchTakesItsTime) {
  DispatchWork tiny = workOf(10, 100, 8);
  tiny.launches = 2;
  message::Limit<> limit = limitOf(tiny, somePeaks(), 3);
  EXPECT_EQ(limit.kind, LimitKind::Launch);
  EXPECT_DOUBLE_EQ(limit.share, 0.75);
  EXPECT_EQ(limitOf(workOf(1e6, 1e6, 200), somePeaks(), 3).kind, LimitKind::Memory);
}

TEST(Limits, BoundsAreSaidAndTheUnknownIsNot) {
  message::DevicePeaks<> peaks = somePeaks();
  EXPECT_EQ(limitOf(workOf(-1, 1e6, 200), peaks, -1).bound, ShareBound::AtLeast);
  EXPECT_EQ(limitOf(workOf(1e8, -1, 2000), peaks, -1).bound, ShareBound::AtLeast);
  DispatchWork gather = workOf(0, 1e6, 200);
  gather.bytesAtMost = true;
  EXPECT_EQ(limitOf(gather, peaks, -1).bound, ShareBound::AtMost);
  gather.flops = -1; // may be more, may be less
  EXPECT_FALSE(limitOf(gather, peaks, -1).isKnown());
  EXPECT_FALSE(limitOf(workOf(-1, -1, 200), peaks, -1).isKnown());
  EXPECT_FALSE(limitOf(workOf(1e6, 1e6, -1), peaks, -1).isKnown());
  DispatchWork integers = workOf(1e9, 1e6, 200);
  integers.arithmetic = "i8";
  EXPECT_EQ(limitOf(integers, peaks, -1).bound, ShareBound::AtLeast);
}

TEST(Limits, RowsOfADispatchShareTheirs) {
  RunReport report;
  report.device = "fake:0";
  report.peaks = somePeaks();
  KernelReport row;
  row.dispatch = "d";
  row.device = "fake:0";
  row.flops = 0;
  row.bytes = 1e6;
  row.arithmetic = "f32";
  row.cold = "rotated";
  row.medianUs = 150;
  report.kernels = {row, row, row};
  report.kernels[1].part = 1;
  report.kernels[1].medianUs = 50;
  report.kernels[2].device = "host"; // which has other peaks
  setLimits(report);
  EXPECT_DOUBLE_EQ(report.kernels[0].limit.share, 0.5);
  EXPECT_DOUBLE_EQ(report.kernels[1].limit.share, 0.5);
  EXPECT_FALSE(report.kernels[2].limit.isKnown());
}

class PeakCacheTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("roofs", folder_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }
  llvm::SmallString<128> folder_;
};

TEST_F(PeakCacheTest, KeepsWhatWasMeasuredAndNothingElse) {
  Session session(allDialects());
  PeakCache cache((folder_ + "/a/b").str());
  FakeDevice device;
  DeviceInfo info = device.info();
  EXPECT_FALSE(cache.read(info));
  message::DevicePeaks<> peaks = somePeaks();
  peaks.device = info.id;
  peaks.name = info.name;
  // Whoever measured it was another version.
  EXPECT_FALSE(static_cast<bool>(cache.write(info, peaks)));
  EXPECT_FALSE(cache.read(info));

  device.writes = -1; // copies are right; sums of rows and multiply-adds are not, and do not count
  bool wasMeasured = false;
  auto measured = valueOf(peaksOf(cache, session.context(), device, info, nullptr, false, &wasMeasured));
  EXPECT_TRUE(wasMeasured);
  ASSERT_TRUE(findPeak(measured, kMemoryPeak));
  EXPECT_NE(findPeak(measured, kMemoryPeak)->how.find("a copy of "), std::string::npos)
      << findPeak(measured, kMemoryPeak)->how;
  ASSERT_EQ(measured.missing.size(), 1u);
  EXPECT_NE(measured.missing[0].find("f32: a kernel for measuring gives -1"), std::string::npos) << measured.missing[0];
  ASSERT_TRUE(cache.read(info));
  EXPECT_DOUBLE_EQ(findPeak(*cache.read(info), kMemoryPeak)->rate, findPeak(measured, kMemoryPeak)->rate);
  unsigned runs = device.runs;
  valueOf(peaksOf(cache, session.context(), device, info, nullptr, false, &wasMeasured));
  EXPECT_FALSE(wasMeasured);
  EXPECT_EQ(device.runs, runs);

  DeviceInfo other = info;
  other.driver = "newer";
  EXPECT_FALSE(cache.read(other));
  for (const char *text : {"", "{", "[]", "{\"version\": 1}", "\xff\xfe"}) {
    std::ofstream(cache.pathOf(info), std::ios::trunc) << text;
    EXPECT_FALSE(cache.read(info)) << text;
  }
  DeviceModel model;
  applyPeaks(measured, model);
  EXPECT_EQ(model.bandwidth.source.rfind("measured here, ", 0), 0u) << model.bandwidth.source;
  EXPECT_FALSE(model.peakF32.isKnown());
}

TEST(PeakPlan, LevelsOfCachesAreTheHosts) {
  DeviceInfo info;
  info.software = true;
  info.model.language = {"host", "a test"};
  EXPECT_EQ(planPeaks(info).levels.size(), 2u);
  info.model.language = {"spirv", "a test"};
  EXPECT_TRUE(planPeaks(info).levels.empty());
}

TEST(MicroKernel, TimesLaunchesAndChecksThem) {
  Session session(allDialects());
  FakeDevice device;
  auto kernel = valueOf(MicroKernel::make(session.context(), device, emptyModule(), 1, -1, nullptr));
  ASSERT_TRUE(kernel);
  MicroTimes times = valueOf(kernel->time({.launches = 5, .seconds = 600}));
  EXPECT_EQ(times.samples.size(), 5u);
  EXPECT_DOUBLE_EQ(times.least(), 103); // after two launches to warm up
  EXPECT_EQ(times.cold, "warm");
  EXPECT_EQ(valueOf(kernel->time({.launches = 3, .seconds = 600, .coldCaches = true})).samples.size(), 3u);
  device.writes = 7;
  EXPECT_NE(errorOf(kernel->time({})).find("gives 7.0"), std::string::npos);
}

TEST(MicroKernel, ComputesOnTheHostWhatItSays) {
  Session session(allDialects());
  constexpr unsigned steps = 4;
  std::unique_ptr<Device> host = openHostDevice();
  auto kernel = valueOf(MicroKernel::make(session.context(), *host, multiplyAddModule(1024, steps, "f32"), 1,
                                          multiplyAddResult(1, steps), nullptr));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(valueOf(kernel->time({.launches = 2, .seconds = 600})).samples.size(), 2u);
  EXPECT_DOUBLE_EQ(kernel->module().flops, 1024.0 * (8 * (2 * steps + 2) - 1));
  auto sums = valueOf(MicroKernel::make(session.context(), *host, rowSumModule(8, 64), 1, 64, nullptr));
  ASSERT_TRUE(sums);
  EXPECT_EQ(valueOf(sums->time({.launches = 2, .seconds = 600})).samples.size(), 2u);
}

TEST(MicroKernel, ReadsRowsAgainAndAgain) {
  Session session(allDialects());
  std::unique_ptr<Device> host = openHostDevice();
  auto kernel = valueOf(MicroKernel::make(session.context(), *host, rereadModule(8, 64, 5), 1, 64 * 5, nullptr));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(valueOf(kernel->time({.launches = 2, .seconds = 600})).samples.size(), 2u);
  EXPECT_DOUBLE_EQ(kernel->module().bytes, 4.0 * 8 * 64 * 5);
}

TEST(MatmulShape, IsReadFromMaps) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @plain(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %0 : tensor<4x16xf32>
    }
    func.func @transposed(%a: tensor<3x4x8xf32>, %b: tensor<3x16x8xf32>, %c: tensor<3x4x16xf32>) -> tensor<3x4x16xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
          iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x4x8xf32>, tensor<3x16x8xf32>) outs(%c : tensor<3x4x16xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        linalg.yield %s : f32
      } -> tensor<3x4x16xf32>
      return %0 : tensor<3x4x16xf32>
    }
    func.func @none(%a: tensor<?x8xf32>, %b: tensor<8x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
      return %0 : tensor<?x16xf32>
    })");
  auto shapeOf = [&](const char *name) { return matmulOf(module->lookupSymbol(name)); };
  ASSERT_TRUE(shapeOf("plain"));
  EXPECT_EQ(shapeOf("plain")->text(), "4x16x8 f32");
  ASSERT_TRUE(shapeOf("transposed"));
  EXPECT_EQ(shapeOf("transposed")->text(), "3 times 4x16x8 f32, the right transposed");
  EXPECT_FALSE(shapeOf("none"));
}

TEST(HostBlas, TimesALibraryThatIsThere) {
  const char *missing[] = {"libnobodyhasthis.so.7"};
  EXPECT_EQ(openHostBlas(missing), nullptr);
  const char *fake[] = {"libnobodyhasthis.so.7", FUSELAGE_FAKE_BLAS};
  auto library = openHostBlas(fake);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(library->name().rfind("OpenBLAS 9.9.9, ", 0), 0u) << library->name();
  MatmulShape shape{.batch = 2, .m = 5, .n = 6, .k = 7, .transposesRight = true, .type = "f32", .resultType = "f32"};
  ASSERT_TRUE(library->takes(shape));
  EXPECT_EQ(library->describe(shape), "sgemm 2 times 5x6x7 f32, the right transposed");
  EXPECT_EQ(valueOf(library->time(shape, {.launches = 4, .coldCaches = true})).size(), 4u);
  shape.type = "f16";
  EXPECT_FALSE(library->takes(shape));
}
