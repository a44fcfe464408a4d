// Answers tune/worker, tune/trial, and requests to compile ahead, in the calling process.
#pragma once
#include "core/tuning/device/PointTrials.h"
#include "core/tuning/device/TrialWorker.h"

namespace fuselage::tune {

/// Compiles the point of tune/trial's parameters ahead of its measurement. The result is {"prepared": true}, or a
/// result of tune/trial if compiling fails. Used between copies of one process only, so it is no method of the
/// protocol.
inline constexpr const char *kPrepareMethod = "prepare";

/// Returns the function with which a copy of this process measures points of `subject`.
Serve serveTrials(const TuneSubject &subject);

} // namespace fuselage::tune
