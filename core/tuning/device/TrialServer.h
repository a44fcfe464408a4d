// Answers tune/worker and tune/trial in the process that it is called in.
#pragma once
#include "core/tuning/device/PointTrials.h"
#include "core/tuning/device/TrialWorker.h"

namespace fuselage::tune {

/// For a copy of this process: measures points of `subject`, which is there already.
Serve serveTrials(const TuneSubject &subject);

} // namespace fuselage::tune
