// Answers tune/worker, tune/trial and what compiles ahead of that, in the process that it is called in.
#pragma once
#include "core/tuning/device/PointTrials.h"
#include "core/tuning/device/TrialWorker.h"

namespace fuselage::tune {

/// Compiles the point of tune/trial's parameters, which then has only to be measured: {"prepared": true}, or, where
/// that fails, a result of tune/trial. Between copies of one process, so no method of the protocol.
inline constexpr const char *kPrepareMethod = "prepare";

/// For a copy of this process: measures points of `subject`, which is there already.
Serve serveTrials(const TuneSubject &subject);

} // namespace fuselage::tune
