// How fast a device's memory is, measured.
#pragma once
#include "core/ir/Session.h"
#include "core/support/Error.h"

namespace fuselage {

/// GB/s (10^9 bytes) that a device reads and writes when it does nothing else: the fastest of some runs of
/// one elementwise dispatch over a tensor larger than caches, compiled as every other dispatch. Takes a
/// second or so; the host counts as one thread. Failure: no such device, or it cannot run the dispatch.
llvm::Expected<double> measureBandwidth(Session &session, llvm::StringRef device);

} // namespace fuselage
