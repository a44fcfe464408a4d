#include "FakeCudaDriver.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>
#include <thread>

namespace fuselage::test {

namespace {

/// Plain function pointers need a global.
FakeCudaDriver *gpu = nullptr;

/// Locks the driver and says what the call shall answer before it does anything.
struct Call {
  explicit Call(const char *symbol) : lock(gpu->mutex), code(gpu->codeOf(symbol)) {}
  std::lock_guard<std::recursive_mutex> lock;
  CUresult code;
};

void *newHandle() {
  static uintptr_t next = 0x100;
  return reinterpret_cast<void *>(next++);
}

#define FUSELAGE_FAKE(symbol)                                                                                          \
  Call call(symbol);                                                                                                   \
  if (call.code != cuda::success)                                                                                      \
  return call.code

CUresult init(unsigned) { return cuda::success; }
CUresult version(int *value) { return *value = 13000, cuda::success; }
CUresult count(int *value) { return *value = gpu->devices, cuda::success; }
CUresult get(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal < gpu->devices ? cuda::success : 101;
}
CUresult name(char *text, int length, CUdevice device) {
  snprintf(text, length, "Fake GPU %d", device);
  return cuda::success;
}
CUresult attribute(int *value, int attribute, CUdevice) {
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
CUresult totalMemory(size_t *bytes, CUdevice) { return *bytes = gpu->capacity, cuda::success; }
CUresult retain(CUcontext *context, CUdevice) {
  FUSELAGE_FAKE("cuDevicePrimaryCtxRetain");
  ++gpu->live;
  return *context = newHandle(), cuda::success;
}
CUresult releaseContext(CUdevice) {
  Call call("");
  return --gpu->live, cuda::success;
}
CUresult setCurrent(CUcontext) {
  FUSELAGE_FAKE("cuCtxSetCurrent");
  return cuda::success;
}
CUresult allocate(CUdeviceptr *address, size_t bytes) {
  FUSELAGE_FAKE("cuMemAlloc_v2");
  if (bytes > gpu->capacity)
    return cuda::outOfMemory;
  static CUdeviceptr next = 0x1000;
  *address = next++;
  gpu->memory[*address].resize(bytes, 0xCD);
  return cuda::success;
}
CUresult freeMemory(CUdeviceptr address) {
  FUSELAGE_FAKE("cuMemFree_v2");
  for (auto &[handle, stream] : gpu->streams)
    for (const FakeCudaDriver::Work &work : stream.queue)
      if (llvm::is_contained(work.touches, address))
        gpu->violations.push_back("memory is freed under work that uses it");
  if (gpu->memory.erase(address) == 0)
    gpu->violations.push_back("memory is freed twice");
  return cuda::success;
}
CUresult upload(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  FUSELAGE_FAKE("cuMemcpyHtoDAsync_v2");
  gpu->streams[stream].queue.push_back({{to}, [=] {
                                          if (auto *block = gpu->block(to))
                                            std::memcpy(block->data(), from, bytes);
                                        }});
  return cuda::success;
}
CUresult download(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  FUSELAGE_FAKE("cuMemcpyDtoHAsync_v2");
  gpu->streams[stream].queue.push_back({{from}, [=] {
                                          if (auto *block = gpu->block(from))
                                            std::memcpy(to, block->data(), bytes);
                                        }});
  return cuda::success;
}
CUresult load(CUmodule *module, const void *image, unsigned count, int *options, void **values) {
  gpu->calls.push_back("load " + std::string(static_cast<const char *>(image)));
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == cuda::jitErrorLog)
      std::strcpy(static_cast<char *>(values[i]), gpu->jitLog.c_str());
  FUSELAGE_FAKE("cuModuleLoadDataEx");
  ++gpu->live;
  return *module = newHandle(), cuda::success;
}
CUresult unload(CUmodule) {
  FUSELAGE_FAKE("cuModuleUnload");
  for (auto &[handle, stream] : gpu->streams)
    for (const FakeCudaDriver::Work &work : stream.queue)
      if (work.isKernel)
        gpu->violations.push_back("a module is unloaded under its kernel");
  return --gpu->live, cuda::success;
}
CUresult function(CUfunction *result, CUmodule, const char *entry) {
  FUSELAGE_FAKE("cuModuleGetFunction");
  gpu->calls.push_back("function " + std::string(entry));
  return *result = newHandle(), cuda::success;
}
CUresult getFunctionAttribute(int *value, int, CUfunction) { return *value = gpu->registersAllow, cuda::success; }
CUresult setFunctionAttribute(CUfunction, int attribute, int value) {
  FUSELAGE_FAKE("cuFuncSetAttribute");
  gpu->calls.push_back("attribute " + std::to_string(attribute) + " = " + std::to_string(value));
  return cuda::success;
}
CUresult launch(CUfunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                unsigned shared, CUstream stream, void **parameters, void **) {
  std::string text;
  llvm::raw_string_ostream(text) << "launch " << gx << ' ' << gy << ' ' << gz << " x " << bx << ' ' << by << ' ' << bz
                                 << " shared " << shared;
  gpu->calls.push_back(text);
  FUSELAGE_FAKE("cuLaunchKernel");
  std::vector<CUdeviceptr> arguments;
  for (unsigned i = 0; i < gpu->parameters; ++i)
    arguments.push_back(*static_cast<CUdeviceptr *>(parameters[i]));
  gpu->lastArguments = arguments;
  gpu->streams[stream].queue.push_back({arguments,
                                        [arguments] {
                                          std::vector<std::vector<uint8_t> *> blocks;
                                          for (CUdeviceptr address : arguments)
                                            blocks.push_back(gpu->block(address));
                                          if (gpu->kernel && !llvm::is_contained(blocks, nullptr))
                                            gpu->kernel(blocks);
                                        },
                                        /*isKernel=*/true});
  return cuda::success;
}
CUresult createStream(CUstream *stream, unsigned) {
  FUSELAGE_FAKE("cuStreamCreate");
  ++gpu->live;
  *stream = newHandle();
  gpu->streams[*stream];
  return cuda::success;
}
CUresult destroyStream(CUstream stream) {
  FUSELAGE_FAKE("cuStreamDestroy_v2");
  gpu->streams.erase(stream);
  return --gpu->live, cuda::success;
}
/// An error that a stream reports is that of its work, which ends with it.
CUresult failStream(CUstream stream, CUresult code) {
  gpu->streams[stream].queue.clear();
  return code;
}
CUresult query(CUstream stream) {
  Call call("cuStreamQuery");
  if (call.code != cuda::success)
    return failStream(stream, call.code);
  gpu->drain(gpu->streams[stream]);
  return gpu->isBusy(gpu->streams[stream]) ? cuda::notReady : cuda::success;
}
CUresult synchronize(CUstream stream) {
  Call call("cuStreamSynchronize");
  if (call.code != cuda::success)
    return failStream(stream, call.code);
  gpu->drain(gpu->streams[stream]);
  if (gpu->isBusy(gpu->streams[stream]))
    gpu->violations.push_back("a wait without end");
  return cuda::success;
}
CUresult createEvent(CUevent *event, unsigned) {
  FUSELAGE_FAKE("cuEventCreate");
  ++gpu->live;
  return *event = newHandle(), cuda::success;
}
CUresult destroyEvent(CUevent) {
  FUSELAGE_FAKE("cuEventDestroy_v2");
  return --gpu->live, cuda::success;
}
CUresult record(CUevent, CUstream) {
  FUSELAGE_FAKE("cuEventRecord");
  return gpu->calls.push_back("event"), cuda::success;
}
CUresult elapsed(float *milliseconds, CUevent, CUevent) {
  FUSELAGE_FAKE("cuEventElapsedTime");
  return *milliseconds = 0.25f, cuda::success;
}
CUresult errorName(CUresult error, const char **text) {
  *text = error == cuda::illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return cuda::success;
}
CUresult errorString(CUresult, const char **text) { return *text = "what it means", cuda::success; }

#undef FUSELAGE_FAKE

} // namespace

FakeCudaDriver::FakeCudaDriver() { gpu = this; }
FakeCudaDriver::~FakeCudaDriver() {
  // A thread that waits for abandoned work calls the functions as long as it lives.
  release();
  EXPECT_TRUE(waitUntilAllIsFreed()) << live << " objects and " << memory.size() << " blocks are left";
  EXPECT_EQ(violations, std::vector<std::string>());
  gpu = nullptr;
}

CudaDriver FakeCudaDriver::table() { return valueOf(CudaDriver::resolve(lookUp)); }

void *FakeCudaDriver::lookUp(const char *symbol) {
  static const std::map<std::string, void *> symbols = {{"cuInit", (void *)init},
                                                        {"cuDriverGetVersion", (void *)version},
                                                        {"cuDeviceGetCount", (void *)count},
                                                        {"cuDeviceGet", (void *)get},
                                                        {"cuDeviceGetName", (void *)name},
                                                        {"cuDeviceGetAttribute", (void *)attribute},
                                                        {"cuDeviceTotalMem_v2", (void *)totalMemory},
                                                        {"cuDevicePrimaryCtxRetain", (void *)retain},
                                                        {"cuDevicePrimaryCtxRelease_v2", (void *)releaseContext},
                                                        {"cuCtxSetCurrent", (void *)setCurrent},
                                                        {"cuMemAlloc_v2", (void *)allocate},
                                                        {"cuMemFree_v2", (void *)freeMemory},
                                                        {"cuMemcpyHtoDAsync_v2", (void *)upload},
                                                        {"cuMemcpyDtoHAsync_v2", (void *)download},
                                                        {"cuModuleLoadDataEx", (void *)load},
                                                        {"cuModuleUnload", (void *)unload},
                                                        {"cuModuleGetFunction", (void *)function},
                                                        {"cuFuncGetAttribute", (void *)getFunctionAttribute},
                                                        {"cuFuncSetAttribute", (void *)setFunctionAttribute},
                                                        {"cuLaunchKernel", (void *)launch},
                                                        {"cuStreamCreate", (void *)createStream},
                                                        {"cuStreamDestroy_v2", (void *)destroyStream},
                                                        {"cuStreamQuery", (void *)query},
                                                        {"cuStreamSynchronize", (void *)synchronize},
                                                        {"cuEventCreate", (void *)createEvent},
                                                        {"cuEventDestroy_v2", (void *)destroyEvent},
                                                        {"cuEventRecord", (void *)record},
                                                        {"cuEventElapsedTime", (void *)elapsed},
                                                        {"cuGetErrorName", (void *)errorName},
                                                        {"cuGetErrorString", (void *)errorString}};
  auto found = symbols.find(symbol);
  return found == symbols.end() || gpu->missing == symbol ? nullptr : found->second;
}

void FakeCudaDriver::failAt(const std::string &symbol, CUresult code) {
  std::lock_guard lock(mutex);
  failures_[symbol] = code;
}

void FakeCudaDriver::hang() {
  std::lock_guard lock(mutex);
  hangs = true;
}

void FakeCudaDriver::release() {
  std::lock_guard lock(mutex);
  hangs = false;
  failures_.clear();
}

bool FakeCudaDriver::waitUntilAllIsFreed() {
  auto start = std::chrono::steady_clock::now();
  while (liveObjects() != 0 || blocks() != 0) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10))
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

size_t FakeCudaDriver::blocks() {
  std::lock_guard lock(mutex);
  return memory.size();
}

int FakeCudaDriver::liveObjects() {
  std::lock_guard lock(mutex);
  return live;
}

CUresult FakeCudaDriver::codeOf(const std::string &symbol) {
  auto found = failures_.find(symbol);
  return found == failures_.end() ? cuda::success : found->second;
}

void FakeCudaDriver::drain(Stream &stream) {
  while (!stream.queue.empty() && !(hangs && stream.queue.front().isKernel)) {
    Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    work.run();
  }
}

bool FakeCudaDriver::isBusy(const Stream &stream) const { return !stream.queue.empty(); }

std::vector<uint8_t> *FakeCudaDriver::block(CUdeviceptr address) {
  auto found = memory.find(address);
  if (found == memory.end()) {
    violations.push_back("work touches memory that is freed");
    return nullptr;
  }
  return &found->second;
}

} // namespace fuselage::test
