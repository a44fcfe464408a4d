// Figures over repeated launches.
#pragma once
#include "core/analysis/costs/Costs.h"
#include "core/run/Run.h"
#include "core/run/values/SampleFigures.h"

namespace fuselage {

/// Sets min, median and p95 (nearest rank) of the samples, in microseconds, their number, and those that are kept.
void setTimes(KernelReport &report, std::vector<double> samples);

/// Counts one more call of `row`, whose time is `again`'s.
void addCall(KernelReport &row, const KernelReport &again);

/// Sets flops, bytes, gflops and gbps of all reports of one dispatch, by the sum of their medians.
void setRates(std::vector<KernelReport> &reports, const OpCost &cost);

} // namespace fuselage
