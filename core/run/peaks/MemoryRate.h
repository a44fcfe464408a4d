// The rate by which fusions are worth something on a device.
#pragma once
#include "core/ir/Session.h"
#include "core/support/Error.h"

namespace fuselage {

struct MemoryRate {
  double gbps = 0;
  std::string source{}; ///< "measured on host", "by what was measured on host, 12 samples"
};

/// What dispatches that were measured before say (SampleCache::rates), with the measured peak of the memory. Where
/// there are none, and where no peak is known, a copy is timed (measureBandwidth), which takes a second or so. Failure:
/// no such device, or it does not take a copy.
llvm::Expected<MemoryRate> memoryRateOf(Session &session, llvm::StringRef device);

} // namespace fuselage
