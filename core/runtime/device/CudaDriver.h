// The CUDA driver's functions, found at run time; no CUDA package is needed to build.
#pragma once
#include "core/support/Result.h"
#include <cstddef>
#include <cstdint>
#include <functional>

namespace fuselage {

// The driver API's own types and numbers, as its documentation gives them.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = void *;
using CUmodule = void *;
using CUfunction = void *;
using CUstream = void *;
using CUevent = void *;

namespace cuda {
constexpr CUresult success = 0, outOfMemory = 2, deinitialized = 4, noDevice = 100, eccUncorrectable = 214,
                   invalidPtx = 218, nvlinkUncorrectable = 220, unsupportedPtxVersion = 222, contained = 226,
                   notReady = 600, illegalAddress = 700, launchOutOfResources = 701, launchTimeout = 702,
                   contextIsDestroyed = 709, deviceAssert = 710, hardwareStackError = 714, illegalInstruction = 715,
                   misalignedAddress = 716, invalidAddressSpace = 717, invalidPc = 718, launchFailed = 719,
                   tensorMemoryLeak = 721;
constexpr int attributeMaxThreads = 1, attributeMaxBlockX = 2, attributeMaxGridX = 5, attributeMaxShared = 8,
              attributeMaxSharedOptIn = 97, attributeComputeMajor = 75, attributeComputeMinor = 76,
              attributeWarpSize = 10, attributeClockKilohertz = 13, attributeUnits = 16,
              attributeMemoryClockKilohertz = 36, attributeMemoryBusBits = 37, attributeLastCacheBytes = 38,
              attributeThreadsPerUnit = 39, attributeSharedPerUnit = 81, attributeRegistersPerUnit = 82;
constexpr int functionMaxThreads = 0, functionMaxDynamicShared = 8;
constexpr int jitInfoLog = 3, jitInfoLogBytes = 4, jitErrorLog = 5, jitErrorLogBytes = 6;
} // namespace cuda

/// X(member, exported symbol, parameters): every driver function that we call.
#define FUSELAGE_CUDA_FUNCTIONS(X)                                                                                     \
  X(init, "cuInit", (unsigned flags))                                                                                  \
  X(driverGetVersion, "cuDriverGetVersion", (int *version))                                                            \
  X(deviceGetCount, "cuDeviceGetCount", (int *count))                                                                  \
  X(deviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                                        \
  X(deviceGetName, "cuDeviceGetName", (char *name, int length, CUdevice device))                                       \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CUdevice device))                          \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t * bytes, CUdevice device))                                          \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                              \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice device))                                              \
  X(ctxSetCurrent, "cuCtxSetCurrent", (CUcontext context))                                                             \
  X(memAlloc, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                                                  \
  X(memFree, "cuMemFree_v2", (CUdeviceptr address))                                                                    \
  X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))        \
  X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *to, CUdeviceptr from, size_t bytes, CUstream stream))              \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                                                            \
    (CUmodule * module, const void *image, unsigned optionCount, int *options, void **values))                         \
  X(moduleUnload, "cuModuleUnload", (CUmodule module))                                                                 \
  X(moduleGetFunction, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char *name))              \
  X(funcGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, CUfunction function))                          \
  X(funcSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))                           \
  X(launchKernel, "cuLaunchKernel",                                                                                    \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,            \
     unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters, void **extra))                         \
  X(streamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))                                               \
  X(streamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                                            \
  X(streamQuery, "cuStreamQuery", (CUstream stream))                                                                   \
  X(streamSynchronize, "cuStreamSynchronize", (CUstream stream))                                                       \
  X(eventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                                                   \
  X(eventDestroy, "cuEventDestroy_v2", (CUevent event))                                                                \
  X(eventRecord, "cuEventRecord", (CUevent event, CUstream stream))                                                    \
  X(eventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent start, CUevent end))                         \
  X(getErrorName, "cuGetErrorName", (CUresult error, const char **text))                                               \
  X(getErrorString, "cuGetErrorString", (CUresult error, const char **text))

/// The functions as a table, so that a test can put its own in place of the driver's.
struct CudaDriver {
#define FUSELAGE_DECLARE(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  FUSELAGE_CUDA_FUNCTIONS(FUSELAGE_DECLARE)
#undef FUSELAGE_DECLARE

  /// Fills the table from `lookUp`. Failure: names every function that is missing.
  static Result<CudaDriver> resolve(const std::function<void *(const char *)> &lookUp);
  /// Loads libcuda.so.1, once a process, and initializes it. Failure: no driver, or why it does not
  /// start.
  static Result<CudaDriver> load();

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
  std::string errorText(CUresult error) const;
};

} // namespace fuselage
