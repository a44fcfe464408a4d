// What moving bytes and launching takes on a device.
#pragma once
#include "core/device/DeviceCosts.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace fuselage {

/// How much longer than others kernels of one kind take for their bytes.
struct KindRate {
  double ratio = 1;
  unsigned samples = 0;
};

/// Assumed, or what dispatches that were measured on a device say (core/run/peaks/RateFit.h).
struct DeviceRates {
  double gbps = kAssumedGbps; ///< 10^9 bytes a second
  double launchUs = kAssumedLaunchUs;
  std::map<std::string, KindRate, std::less<>> kinds{}; ///< by kernelKind; of those that move more than they compute
  std::string device{};
  unsigned samples = 0; ///< dispatches that this is made of; 0: assumed

  bool isMeasured() const { return samples > 0; }
  /// Microseconds of a dispatch, without what it computes, which fusing leaves as it is; -1: its bytes are unknown.
  double dispatchUs(llvm::StringRef kind, int64_t bytes) const;
  /// "assumed", or "by what was measured on vulkan:0, 12 samples".
  std::string source() const;
};

/// "transpose" of "forward_dispatch_0_transpose_768x768", and of "transpose_768x768".
std::string kernelKind(llvm::StringRef dispatchName);

} // namespace fuselage
