// How much faster a step is than the first one.
#pragma once
#include "core/engine/Engine.h"

namespace fuselage {

/// Times as fast as the first step, beyond the noise: both are run on the host in turns, and the quickest run of the
/// first step is compared with the second quickest one of `snapshot`, so that only the first step profits from luck.
/// Measured once for each snapshot. Failure: one of them cannot be run here, or it was cancelled.
llvm::Expected<double> speedupOf(Document &document, unsigned snapshot, const std::atomic<bool> *cancelled);

} // namespace fuselage
