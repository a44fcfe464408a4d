// The CUDA device against a driver of our own that records what it is asked.
#include "core/runtime/CudaDevice.h"
#include "RuntimeTestSupport.h"
#include <cstring>
#include <map>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// What the fake driver was asked and how it shall answer. Plain function pointers need a global.
struct FakeGpu {
  std::vector<std::string> calls;
  std::map<CUdeviceptr, std::vector<uint8_t>> memory;
  std::vector<CUdeviceptr> lastArguments;
  int devices = 2;
  uint64_t capacity = 1 << 20;
  int staticShared = 0;
  int registersAllow = 1024;
  int liveObjects = 0; ///< modules, events, streams and retained contexts
  CUresult loadResult = cuda::success, launchResult = cuda::success, queryResult = cuda::success;
  std::string jitLog;
  std::string missing; ///< a symbol that the library lacks
};
FakeGpu *gpu = nullptr;

void *handle() {
  static char place;
  return &place;
}
CUresult fakeInit(unsigned) { return cuda::success; }
CUresult fakeVersion(int *version) { return *version = 13000, cuda::success; }
CUresult fakeCount(int *count) { return *count = gpu->devices, cuda::success; }
CUresult fakeGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal < gpu->devices ? cuda::success : 101;
}
CUresult fakeName(char *name, int length, CUdevice device) {
  snprintf(name, length, "Fake GPU %d", device);
  return cuda::success;
}
CUresult fakeAttribute(int *value, int attribute, CUdevice) {
  switch (attribute) {
  case cuda::attributeMaxThreads:
    return *value = 1024, cuda::success;
  case cuda::attributeMaxShared:
    return *value = 48 << 10, cuda::success;
  case cuda::attributeMaxSharedOptIn:
    return *value = 227 << 10, cuda::success;
  case cuda::attributeComputeMajor:
    return *value = 9, cuda::success;
  default:
    return *value = 0, cuda::success;
  }
}
CUresult fakeTotal(size_t *bytes, CUdevice) { return *bytes = gpu->capacity, cuda::success; }
CUresult fakeRetain(CUcontext *context, CUdevice) {
  ++gpu->liveObjects;
  return *context = handle(), cuda::success;
}
CUresult fakeRelease(CUdevice) { return --gpu->liveObjects, cuda::success; }
CUresult fakeCurrent(CUcontext) { return cuda::success; }
CUresult fakeAlloc(CUdeviceptr *address, size_t bytes) {
  if (bytes > gpu->capacity)
    return cuda::outOfMemory;
  static CUdeviceptr next = 0x1000;
  *address = next++;
  gpu->memory[*address].resize(bytes);
  return cuda::success;
}
CUresult fakeFree(CUdeviceptr address) { return gpu->memory.erase(address) ? cuda::success : 1; }
CUresult fakeUpload(CUdeviceptr to, const void *from, size_t bytes) {
  std::memcpy(gpu->memory.at(to).data(), from, bytes);
  return cuda::success;
}
CUresult fakeDownload(void *to, CUdeviceptr from, size_t bytes) {
  std::memcpy(to, gpu->memory.at(from).data(), bytes);
  return cuda::success;
}
CUresult fakeLoad(CUmodule *module, const void *image, unsigned count, int *options,
                  void **values) {
  gpu->calls.push_back("load " + std::string(static_cast<const char *>(image)));
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == cuda::jitErrorLog)
      std::strcpy(static_cast<char *>(values[i]), gpu->jitLog.c_str());
  if (gpu->loadResult == cuda::success)
    ++gpu->liveObjects;
  return *module = handle(), gpu->loadResult;
}
CUresult fakeUnload(CUmodule) { return --gpu->liveObjects, cuda::success; }
CUresult fakeFunction(CUfunction *function, CUmodule, const char *name) {
  gpu->calls.push_back("function " + std::string(name));
  return *function = handle(), cuda::success;
}
CUresult fakeGetFunctionAttribute(int *value, int attribute, CUfunction) {
  *value = attribute == cuda::functionStaticShared ? gpu->staticShared : gpu->registersAllow;
  return cuda::success;
}
CUresult fakeSetFunctionAttribute(CUfunction, int attribute, int value) {
  gpu->calls.push_back("attribute " + std::to_string(attribute) + " = " + std::to_string(value));
  return cuda::success;
}
CUresult fakeLaunch(CUfunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                    unsigned bz, unsigned shared, CUstream, void **parameters, void **) {
  std::string text;
  llvm::raw_string_ostream(text) << "launch " << gx << ' ' << gy << ' ' << gz << " x " << bx << ' '
                                 << by << ' ' << bz << " shared " << shared;
  gpu->calls.push_back(text);
  gpu->lastArguments = {*static_cast<CUdeviceptr *>(parameters[0]),
                        *static_cast<CUdeviceptr *>(parameters[1])};
  return gpu->launchResult;
}
CUresult fakeStream(CUstream *stream, unsigned) {
  ++gpu->liveObjects;
  return *stream = handle(), cuda::success;
}
CUresult fakeDestroy(void *) { return --gpu->liveObjects, cuda::success; }
CUresult fakeEvent(CUevent *event, unsigned) {
  ++gpu->liveObjects;
  return *event = handle(), cuda::success;
}
CUresult fakeRecord(CUevent, CUstream) { return gpu->calls.push_back("event"), cuda::success; }
CUresult fakeQuery(CUevent) { return gpu->queryResult; }
CUresult fakeElapsed(float *milliseconds, CUevent, CUevent) {
  return *milliseconds = 0.25f, cuda::success;
}
CUresult fakeErrorName(CUresult error, const char **text) {
  *text = error == cuda::illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return cuda::success;
}
CUresult fakeErrorString(CUresult, const char **text) {
  return *text = "what it means", cuda::success;
}

void *lookUp(const char *symbol) {
  static const std::map<std::string, void *> symbols = {
      {"cuInit", (void *)fakeInit},
      {"cuDriverGetVersion", (void *)fakeVersion},
      {"cuDeviceGetCount", (void *)fakeCount},
      {"cuDeviceGet", (void *)fakeGet},
      {"cuDeviceGetName", (void *)fakeName},
      {"cuDeviceGetAttribute", (void *)fakeAttribute},
      {"cuDeviceTotalMem_v2", (void *)fakeTotal},
      {"cuDevicePrimaryCtxRetain", (void *)fakeRetain},
      {"cuDevicePrimaryCtxRelease_v2", (void *)fakeRelease},
      {"cuCtxSetCurrent", (void *)fakeCurrent},
      {"cuMemAlloc_v2", (void *)fakeAlloc},
      {"cuMemFree_v2", (void *)fakeFree},
      {"cuMemcpyHtoD_v2", (void *)fakeUpload},
      {"cuMemcpyDtoH_v2", (void *)fakeDownload},
      {"cuModuleLoadDataEx", (void *)fakeLoad},
      {"cuModuleUnload", (void *)fakeUnload},
      {"cuModuleGetFunction", (void *)fakeFunction},
      {"cuFuncGetAttribute", (void *)fakeGetFunctionAttribute},
      {"cuFuncSetAttribute", (void *)fakeSetFunctionAttribute},
      {"cuLaunchKernel", (void *)fakeLaunch},
      {"cuStreamCreate", (void *)fakeStream},
      {"cuStreamDestroy_v2", (void *)fakeDestroy},
      {"cuEventCreate", (void *)fakeEvent},
      {"cuEventDestroy_v2", (void *)fakeDestroy},
      {"cuEventRecord", (void *)fakeRecord},
      {"cuEventQuery", (void *)fakeQuery},
      {"cuEventElapsedTime", (void *)fakeElapsed},
      {"cuGetErrorName", (void *)fakeErrorName},
      {"cuGetErrorString", (void *)fakeErrorString}};
  auto found = symbols.find(symbol);
  return found == symbols.end() || gpu->missing == symbol ? nullptr : found->second;
}

class CudaDeviceTest : public ::testing::Test {
protected:
  void SetUp() override { gpu = &fake; }
  void TearDown() override { gpu = nullptr; }
  std::unique_ptr<Device> open(unsigned number = 0) {
    return valueOf(openCudaDevice(valueOf(CudaDriver::resolve(lookUp)), number));
  }
  FakeGpu fake;
  CompiledKernel kernel{.entry = "axpy",
                        .binary = "PTX",
                        .grid = {4, 2, 1},
                        .block = {32, 1, 1},
                        .sharedBytes = 0,
                        .arguments = {0, 1}};
};

} // namespace

TEST_F(CudaDeviceTest, ListsAndDescribes) {
  auto devices = listCudaDevices(valueOf(CudaDriver::resolve(lookUp)));
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].id, "cuda:1");
  EXPECT_EQ(devices[1].name, "Fake GPU 1");
  EXPECT_EQ(devices[1].api, "CUDA 13.0");
  EXPECT_EQ(devices[1].target, "sm_90");
  EXPECT_EQ(devices[1].maxSharedBytes, 227u << 10);
  auto device = open();
  EXPECT_EQ(device->targetOptions().target, KernelTarget::Ptx);
  EXPECT_EQ(device->targetOptions().chip, "sm_90");
  EXPECT_EQ(device->layout().indexBytes, 8u);
}

TEST_F(CudaDeviceTest, UploadsLaunchesInOrderAndFreesEverything) {
  {
    auto device = open();
    auto x = valueOf(device->allocate(8)), y = valueOf(device->allocate(8));
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    EXPECT_FALSE(device->upload(*x, bytes));
    EXPECT_FALSE(device->download(*x, back));
    EXPECT_EQ(std::memcmp(bytes, back, 8), 0);
    auto loaded = valueOf(device->load(kernel));
    ASSERT_TRUE(loaded);
    Launch launch{.kernel = loaded.get(), .buffers = {y.get(), x.get()}};
    auto times = valueOf(device->run({launch, launch}, {}));
    EXPECT_EQ(times, (std::vector<double>{250, 250}));
    EXPECT_EQ(fake.calls, (std::vector<std::string>{"load PTX", "function axpy", "event",
                                                    "launch 4 2 1 x 32 1 1 shared 0", "event",
                                                    "launch 4 2 1 x 32 1 1 shared 0", "event"}));
    ASSERT_EQ(fake.lastArguments.size(), 2u);
    EXPECT_GT(fake.lastArguments[0], fake.lastArguments[1]); // y was allocated after x
  }
  EXPECT_EQ(fake.liveObjects, 0);
  EXPECT_TRUE(fake.memory.empty());
}

TEST_F(CudaDeviceTest, SharedMemoryBeyondTheStaticPartIsDynamic) {
  auto device = open();
  kernel.sharedBytes = 100 << 10;
  fake.staticShared = 1 << 10;
  auto loaded = valueOf(device->load(kernel));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(fake.calls.back(), "attribute 8 = " + std::to_string(99 << 10));
  kernel.sharedBytes = 300 << 10;
  EXPECT_NE(errorOf(device->load(kernel))
                .find("needs 300.0 KiB of workgroup memory; cuda:0 has 227.0 KiB"),
            std::string::npos);
  kernel.sharedBytes = 0;
  kernel.block = {2048, 1, 1};
  EXPECT_NE(errorOf(device->load(kernel)).find("takes at most 1024"), std::string::npos);
  kernel.block = {512, 1, 1};
  fake.registersAllow = 256;
  EXPECT_NE(errorOf(device->load(kernel)).find("registers leave room for 256"), std::string::npos);
}

TEST_F(CudaDeviceTest, CompilerErrorsCarryTheLog) {
  auto device = open();
  fake.loadResult = cuda::invalidPtx;
  fake.jitLog = "ptxas application ptx input, line 7; fatal : Parsing error";
  Failure failure = takeFailure(device->load(kernel).takeError());
  EXPECT_NE(failure.message.find("compile the PTX of kernel 'axpy'"), std::string::npos);
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_EQ(failure.diagnostics[0].message, fake.jitLog);
}

TEST_F(CudaDeviceTest, MissingFunctionsAndDevices) {
  fake.missing = "cuEventQuery";
  EXPECT_NE(errorOf(CudaDriver::resolve(lookUp)).find("lacks cuEventQuery"), std::string::npos);
  fake.missing = "";
  EXPECT_NE(errorOf(openCudaDevice(valueOf(CudaDriver::resolve(lookUp)), 5)).find("number 5"),
            std::string::npos);
}

TEST_F(CudaDeviceTest, OutOfMemoryLeavesTheDeviceUsable) {
  auto device = open();
  EXPECT_NE(errorOf(device->allocate(fake.capacity * 2))
                .find("out of memory: cuda:0 could not allocate 2.0 MiB"),
            std::string::npos);
  EXPECT_TRUE(valueOf(device->allocate(16)));
}

TEST_F(CudaDeviceTest, ADeviceThatDisappearsRefusesFurtherWork) {
  auto device = open();
  auto x = valueOf(device->allocate(8)), y = valueOf(device->allocate(8));
  auto loaded = valueOf(device->load(kernel));
  Launch launch{.kernel = loaded.get(), .buffers = {x.get(), y.get()}};
  fake.queryResult = cuda::illegalAddress;
  std::string error = errorOf(device->run(launch, {}));
  EXPECT_NE(error.find("cuda:0 was lost"), std::string::npos) << error;
  EXPECT_NE(error.find("CUDA_ERROR_ILLEGAL_ADDRESS (what it means)"), std::string::npos) << error;
  fake.queryResult = cuda::success;
  EXPECT_NE(errorOf(device->allocate(8)).find("was lost"), std::string::npos);
  EXPECT_NE(errorOf(device->run(launch, {})).find("was lost"), std::string::npos);
}

TEST_F(CudaDeviceTest, HangingKernelsAndCancels) {
  CompiledKernel other = kernel;
  for (bool cancel : {false, true}) {
    auto device = open();
    auto x = valueOf(device->allocate(8)), y = valueOf(device->allocate(8));
    auto loaded = valueOf(device->load(other));
    Launch launch{.kernel = loaded.get(), .buffers = {x.get(), y.get()}};
    fake.queryResult = cuda::notReady;
    std::atomic<bool> cancelled = cancel;
    WaitLimits limits{.timeoutSeconds = cancel ? 100 : 0.05, .cancelled = &cancelled};
    std::string error = errorOf(device->run(launch, limits));
    EXPECT_NE(error.find(cancel ? "cancelled while" : "did not finish on cuda:0"),
              std::string::npos)
        << error;
    // The hanging kernel may still write: nothing of it is freed.
    size_t blocks = fake.memory.size();
    x.reset();
    EXPECT_EQ(fake.memory.size(), blocks);
    EXPECT_NE(errorOf(device->allocate(8)), "");
    fake.queryResult = cuda::success;
  }
}
