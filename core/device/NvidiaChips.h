// What the name of an NVIDIA chip tells: compute capability, PTX version, matrix instructions.
#pragma once
#include "core/device/DeviceModel.h"
#include <climits>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuselage {

/// The chip that PTX is generated for if no device is named: the oldest one with asynchronous copies.
inline constexpr char kDefaultChip[] = "sm_80";

/// Workgroup memory in bytes that the driver takes of each workgroup on a multiprocessor.
/// Source: CUDA C++ Programming Guide, "Shared Memory" of compute capability 8.x and 9.0.
inline constexpr int64_t kDriverWorkgroupBytes = 1024;

/// Registers of 32 bits of a multiprocessor, the same for all chips since compute capability 5.0.
/// Source: CUDA C++ Programming Guide, compute capabilities.
inline constexpr int64_t kMultiprocessorRegisters = 65536;

/// The chip of `device`; kDefaultChip if none is known.
std::string chipOf(const DeviceModel &device);

/// The compute capability times ten: "sm_90" and "sm_90a" -> 90; 0 if `chip` is no such name.
unsigned capabilityOf(std::string_view chip);

/// Multiply-adds of f32 that a multiprocessor starts a cycle; 128 if the capability is not known.
/// Source: CUDA C++ Programming Guide, throughput of native arithmetic instructions.
double multiplyAddsOfCycle(unsigned capability);

/// Multiply-adds that mma.sync of f16 reaches at most in a cycle of a multiprocessor, for each element of its K
/// dimension (16); infinity if nothing but the peak of the chip limits it. Hopper's peak is that of wgmma, which
/// kernels do not use: an H100 did 646 of 989 TFLOP/s by mma.sync.
double mmaSyncMultiplyAddsOfCycle(unsigned capability);

/// The PTX version of kernels for a chip, as a feature of LLVM's NVPTX backend: "+ptx78". It is what the chip needs at
/// least, and for chips up to sm_90 the newest that kernels use and the driver takes. `driverVersion` is CUDA's, 11080
/// for 11.8; by default the driver is new enough.
std::string ptxFeatureOf(std::string_view chip, int driverVersion = INT_MAX);

/// The shapes of mma.sync that kernels use, as device files spell them ("m16n8k16 f16"). Empty below compute capability
/// 8.0, whose instructions have other shapes.
std::vector<std::string> matrixShapesOf(unsigned capability);

} // namespace fuselage
