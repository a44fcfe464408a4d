// Figures over repeated launches.
#pragma once
#include "core/analysis/costs/Costs.h"
#include "core/runtime/run/Run.h"

namespace fuselage {

/// Sets min, median and p95 (nearest rank) of the samples, in microseconds, and their number.
void setTimes(KernelReport &report, std::vector<double> samples);

/// Sets gflops and gbps of all reports of one dispatch, by the sum of their medians.
void setRates(std::vector<KernelReport> &reports, const OpCost &cost);

} // namespace fuselage
