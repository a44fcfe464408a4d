// Rates of a device from dispatches that were measured on it.
#pragma once
#include "core/analysis/costs/DeviceRates.h"
#include "core/protocol/Peaks.h"
#include "core/protocol/Samples.h"

namespace fuselage {

/// The microseconds a launch and the bandwidth at which launches x L + bytes / B lies nearest to what dispatches took
/// that move more than they compute: least absolute relative errors, so that single readings that are off do not count
/// more than others (by iteratively reweighted least squares, Schlossmacher 1973). The measured peak, if there is one,
/// counts as a further sample; what is assumed of a device as a tenth of one. Then, for each kind of kernel, the median
/// ratio of its samples to that, one more sample being 1. Without samples: what is assumed.
DeviceRates fitRates(const message::DeviceSamples<> &samples, const message::DevicePeaks<> *peaks);

/// Whether a dispatch takes its time for moving bytes, as far as its numbers tell.
bool movesMoreThanItComputes(const message::DispatchSample<> &sample);

} // namespace fuselage
