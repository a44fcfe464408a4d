// Figures over repeated launches.
#pragma once
#include "core/analysis/costs/Costs.h"
#include "core/run/Run.h"

namespace fuselage {

/// So many samples are kept of a kernel; where there are more, every second, every third and so on.
inline constexpr size_t keptSamples = 1000;

/// Sets min, median and p95 (nearest rank) of the samples, in microseconds, their number, and those that are kept.
void setTimes(KernelReport &report, std::vector<double> samples);

/// Counts one more call of `row`, whose time is `again`'s.
void addCall(KernelReport &row, const KernelReport &again);

double medianOf(std::vector<double> samples);

/// Sets flops, bytes, gflops and gbps of all reports of one dispatch, by the sum of their medians.
void setRates(std::vector<KernelReport> &reports, const OpCost &cost);

} // namespace fuselage
