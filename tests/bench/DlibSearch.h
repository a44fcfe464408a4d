// dlib's global search over the points of a space, to compare our own with.
#pragma once
#include "core/tuning/search/Strategy.h"

namespace fuselage::bench {

/// In turns an upper bound of the function from all that is known (Malherbe and Vayatis, "Global optimization of
/// Lipschitz functions", 2017) and a trust region around the best: dlib::global_function_search over the numbers of the
/// knobs' values, where what it asks for and the set has not is answered by the nearest point of the set, and what was
/// measured already at no cost. `points` outlives it. Null where this was built without dlib.
std::unique_ptr<tune::Strategy> makeDlibSearch(const tune::PointSet &points, uint64_t seed);

} // namespace fuselage::bench
