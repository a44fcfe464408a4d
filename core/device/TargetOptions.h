// What code generation is told of a target.
#pragma once
#include "core/device/DeviceModel.h"
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

enum class KernelTarget { Spirv, Ptx, Host };

/// What a target can do; the defaults are the least that every device of the kind has.
struct TargetOptions {
  KernelTarget target = KernelTarget::Spirv;
  std::string chip = "sm_80";      ///< PTX only
  std::string features = "+ptx78"; ///< PTX only
  std::string cudaToolkit;         ///< folder with nvvm/libdevice; empty: no math of f64, f32 by approximation
  DeviceModel device;              ///< what tiles, threads, vectors and memory follow
  /// 32 or 64: what kernels count with; 0: SPIR-V 32, unless a dispatch needs more (core/codegen/WideIndices.h),
  /// PTX 64.
  unsigned indexBits = 0;
  /// PTX only: products of f32 numbers by instructions that multiply matrices of tf32, which has 10 bits of their 23.
  bool tf32 = false;

  uint64_t maxSharedBytes() const { return uint64_t(device.usableWorkgroupBytes()); }
  unsigned indexWidth() const { return indexBits ? indexBits : target == KernelTarget::Spirv ? 32 : 64; }
};

} // namespace fuselage
