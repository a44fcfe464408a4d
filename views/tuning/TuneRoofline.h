// Where the best of a search lies below the device's peaks.
#pragma once
#include "views/messages/TuneTypes.h"

namespace fuselage {

/// The items of a plan that have a time as runs, for a RooflineView: with the best so far, and by
/// default. `rows` are their items.
struct TuneRoofline {
  protocol::RunReport best, byDefault;
  QList<int> rows;
};
TuneRoofline rooflineOf(const protocol::TunePlan &plan, const std::optional<protocol::DevicePeaks> &peaks);

} // namespace fuselage
