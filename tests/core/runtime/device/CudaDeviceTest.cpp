// The CUDA device against a driver of our own that does things as late as the real one may.
#include "core/runtime/device/CudaDevice.h"
#include "FakeCudaDriver.h"
#include "tests/core/run/RunTestSupport.h"
#include <cstring>
#include <thread>

using namespace fuselage;
using namespace fuselage::test;

namespace {

class CudaDeviceTest : public ::testing::Test {
protected:
  std::unique_ptr<Device> open(unsigned number = 0) { return valueOf(openCudaDevice(fake.table(), number)); }
  /// Two buffers and the kernel on a device.
  struct Loaded {
    std::unique_ptr<Device> device;
    std::unique_ptr<DeviceBuffer> x, y;
    std::unique_ptr<DeviceKernel> kernel;
    Launch launch;
  };
  Loaded openLoaded() {
    Loaded all;
    all.device = open();
    all.x = valueOf(all.device->allocate(8));
    all.y = valueOf(all.device->allocate(8));
    all.kernel = valueOf(all.device->load(kernel));
    all.launch = {.kernel = all.kernel.get(), .buffers = {all.y.get(), all.x.get()}};
    return all;
  }
  FakeCudaDriver fake;
  CompiledKernel kernel{.entry = "axpy",
                        .binary = "PTX",
                        .grid = {4, 2, 1},
                        .block = {32, 1, 1},
                        .sharedBytes = 0,
                        .dynamicSharedBytes = 0,
                        .arguments = {0, 1}};
};

} // namespace

TEST_F(CudaDeviceTest, ListsAndDescribes) {
  auto devices = listCudaDevices(fake.table());
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].id, "cuda:1");
  EXPECT_EQ(devices[1].name, "Fake GPU 1");
  EXPECT_EQ(devices[1].api, "CUDA 13.0");
  EXPECT_EQ(devices[1].target, "sm_90");
  auto device = open();
  EXPECT_EQ(device->targetOptions().target, KernelTarget::Ptx);
  EXPECT_EQ(device->targetOptions().chip, "sm_90");
}

TEST_F(CudaDeviceTest, WorkgroupMemoryHasOneLimit) {
  auto device = open();
  EXPECT_EQ(device->info().maxSharedBytes, 227u << 10);
  EXPECT_EQ(device->targetOptions().maxSharedBytes(), device->info().maxSharedBytes);
  kernel.sharedBytes = 227 << 10;
  EXPECT_TRUE(valueOf(device->load(kernel)));
  kernel.sharedBytes = 228 << 10;
  EXPECT_NE(errorOf(device->load(kernel)).find("needs 228.0 KiB of workgroup memory; cuda:0 has 227.0 KiB"),
            std::string::npos);
}

TEST_F(CudaDeviceTest, UploadsLaunchesInOrderAndFreesEverything) {
  {
    Loaded all = openLoaded();
    auto times = valueOf(all.device->run(std::vector{all.launch, all.launch}, {}));
    EXPECT_EQ(times, (std::vector<double>{250, 250}));
    EXPECT_EQ(fake.calls,
              (std::vector<std::string>{"load PTX", "function axpy", "event", "launch 4 2 1 x 32 1 1 shared 0", "event",
                                        "launch 4 2 1 x 32 1 1 shared 0", "event"}));
    ASSERT_EQ(fake.lastArguments.size(), 2u);
    EXPECT_GT(fake.lastArguments[0], fake.lastArguments[1]); // y was allocated after x
  }
  EXPECT_EQ(fake.liveObjects(), 0);
  EXPECT_EQ(fake.blocks(), 0u);
}

// The driver may copy long after the call; a launch must see the bytes as they were at the upload.
TEST_F(CudaDeviceTest, AKernelSeesWhatWasUploadedBeforeIt) {
  fake.kernel = [](std::vector<std::vector<uint8_t> *> blocks) {
    for (size_t i = 0; i < 8; ++i)
      (*blocks[0])[i] = (*blocks[1])[i] + 1;
  };
  Loaded all = openLoaded();
  std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_FALSE(all.device->upload(*all.x, bytes));
  std::fill(bytes.begin(), bytes.end(), 99); // the caller's again
  valueOf(all.device->run(std::vector{all.launch}, {}));
  std::vector<uint8_t> back(8);
  EXPECT_FALSE(all.device->download(*all.y, back));
  EXPECT_EQ(back, (std::vector<uint8_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(CudaDeviceTest, WorkgroupMemoryBeyondTheStaticPartIsGivenAtTheLaunch) {
  kernel.sharedBytes = 100 << 10;
  kernel.dynamicSharedBytes = 99 << 10;
  Loaded all = openLoaded();
  EXPECT_EQ(fake.calls.back(), "attribute 8 = " + std::to_string(99 << 10));
  valueOf(all.device->run(std::vector{all.launch}, {}));
  EXPECT_EQ(fake.calls[fake.calls.size() - 2], "launch 4 2 1 x 32 1 1 shared " + std::to_string(99 << 10));
  kernel.sharedBytes = kernel.dynamicSharedBytes = 0;
  kernel.block = {2048, 1, 1};
  EXPECT_NE(errorOf(all.device->load(kernel)).find("takes at most 1024"), std::string::npos);
  kernel.block = {512, 1, 1};
  fake.registersAllow = 256;
  EXPECT_NE(errorOf(all.device->load(kernel)).find("registers leave room for 256"), std::string::npos);
}

TEST_F(CudaDeviceTest, CompilerErrorsCarryTheLog) {
  auto device = open();
  fake.failAt("cuModuleLoadDataEx", cuda::invalidPtx);
  fake.jitLog = "ptxas application ptx input, line 7; fatal : Parsing error";
  Failure failure = takeFailure(device->load(kernel).takeError());
  EXPECT_NE(failure.message.find("compile the PTX of kernel 'axpy'"), std::string::npos);
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_EQ(failure.diagnostics[0].message, fake.jitLog);
}

TEST_F(CudaDeviceTest, MissingFunctionsAndDevices) {
  fake.missing = "cuStreamQuery";
  EXPECT_NE(errorOf(CudaDriver::resolve(FakeCudaDriver::lookUp)).find("lacks cuStreamQuery"), std::string::npos);
  fake.missing = "";
  EXPECT_NE(errorOf(openCudaDevice(fake.table(), 5)).find("number 5"), std::string::npos);
}

TEST_F(CudaDeviceTest, OutOfMemoryLeavesTheDeviceUsable) {
  auto device = open();
  EXPECT_NE(errorOf(device->allocate(fake.capacity * 2)).find("out of memory: cuda:0 could not allocate 2.0 MiB"),
            std::string::npos);
  EXPECT_TRUE(valueOf(device->allocate(16)));
}

// The documentation of each: "any further CUDA work will return the same error".
TEST_F(CudaDeviceTest, EveryErrorThatLosesTheContextEndsItsUse) {
  for (CUresult code : {214, 220, 226, 700, 710, 714, 715, 716, 717, 718, 719, 721}) {
    for (std::string where : {"cuStreamQuery", "cuLaunchKernel", "cuStreamSynchronize"}) {
      Loaded all = openLoaded();
      uint8_t bytes[8] = {};
      fake.failAt(where, code);
      std::string error = where == "cuStreamSynchronize" ? errorOf(all.device->upload(*all.x, bytes))
                                                         : errorOf(all.device->run(std::vector{all.launch}, {}));
      EXPECT_NE(error.find("cuda:0 was lost"), std::string::npos) << code << where << error;
      EXPECT_NE(error.find("(what it means)"), std::string::npos) << error;
      fake.failAt(where, cuda::success);
      EXPECT_NE(errorOf(all.device->allocate(8)).find("was lost"), std::string::npos) << code;
      EXPECT_NE(errorOf(all.device->run(std::vector{all.launch}, {})).find("was lost"), std::string::npos);
      EXPECT_NE(errorOf(all.device->download(*all.y, bytes)).find("was lost"), std::string::npos);
    }
  }
}

TEST_F(CudaDeviceTest, OtherErrorsLeaveTheDeviceUsable) {
  Loaded all = openLoaded();
  for (CUresult code : {cuda::launchOutOfResources, CUresult(1), CUresult(999)}) {
    fake.failAt("cuLaunchKernel", code);
    EXPECT_NE(errorOf(all.device->run(std::vector{all.launch}, {})).find("launch kernel 'axpy'"), std::string::npos);
    fake.failAt("cuLaunchKernel", cuda::success);
    EXPECT_EQ(valueOf(all.device->run(std::vector{all.launch}, {})).size(), 1u);
  }
}

// Every call that can fail does so once: a sentence that names the device, and nothing is left behind.
TEST_F(CudaDeviceTest, AnyCallMayFail) {
  for (std::string symbol : {"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuStreamCreate", "cuMemAlloc_v2",
                             "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize",
                             "cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncSetAttribute", "cuLaunchKernel",
                             "cuEventCreate", "cuEventRecord", "cuStreamQuery", "cuEventElapsedTime"}) {
    kernel.sharedBytes = kernel.dynamicSharedBytes = 64 << 10;
    fake.failAt(symbol, 304);
    auto attempt = [&]() -> llvm::Error {
      auto device = openCudaDevice(fake.table(), 0);
      if (!device)
        return device.takeError();
      auto x = (*device)->allocate(8), y = (*device)->allocate(8);
      if (!x || !y)
        return x ? y.takeError() : x.takeError();
      uint8_t bytes[8] = {};
      if (llvm::Error error = (*device)->upload(**x, bytes))
        return error;
      auto loaded = (*device)->load(kernel);
      if (!loaded)
        return loaded.takeError();
      auto times = (*device)->run(std::vector{Launch{.kernel = loaded->get(), .buffers = {x->get(), y->get()}}}, {});
      if (!times)
        return times.takeError();
      return (*device)->download(**y, bytes);
    };
    EXPECT_NE(errorOf(attempt()).find("cuda:0 could not"), std::string::npos) << symbol;
    fake.failAt(symbol, cuda::success);
    EXPECT_EQ(fake.liveObjects(), 0) << symbol;
    EXPECT_EQ(fake.blocks(), 0u) << symbol;
  }
}

TEST_F(CudaDeviceTest, HangingKernelsAndCancels) {
  for (bool cancel : {false, true}) {
    Loaded all = openLoaded();
    fake.hang();
    std::atomic<bool> cancelled = cancel;
    WaitLimits limits{.timeoutSeconds = cancel ? 100 : 0.05, .cancelled = &cancelled};
    std::string error = errorOf(all.device->run(std::vector{all.launch}, limits));
    EXPECT_NE(error.find(cancel ? "cancelled while" : "did not finish on cuda:0"), std::string::npos) << error;
    // The hanging kernel may still write: nothing of it is freed, and nothing new is taken.
    all.x.reset();
    all.y.reset();
    all.kernel.reset();
    EXPECT_EQ(fake.blocks(), 2u);
    EXPECT_NE(errorOf(all.device->allocate(8)), "");
    all.device.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(fake.blocks(), 2u);
    // Once it has ended, all of it goes, though nobody holds it any more.
    fake.release();
    EXPECT_TRUE(fake.waitUntilAllIsFreed());
  }
}

// What was launched before the launch that failed is waited for: its buffers go when `run` returns.
TEST_F(CudaDeviceTest, AFailedLaunchLeavesNothingRunning) {
  Loaded all = openLoaded();
  auto z = valueOf(all.device->allocate(8));
  Launch wrong{.kernel = all.kernel.get(), .buffers = {z.get()}};
  EXPECT_NE(errorOf(all.device->run(std::vector{all.launch, wrong}, {})).find("1 buffers are given"),
            std::string::npos);
  EXPECT_EQ(fake.violations, std::vector<std::string>());
}
