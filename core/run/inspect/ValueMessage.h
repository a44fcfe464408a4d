// A computed value as clients see it.
#pragma once
#include "core/run/inspect/ValueRun.h"
#include "core/run/inspect/ValueStatistics.h"

namespace fuselage {

/// Without a slice. `name`: of the value, as the text prints it; `seed`: that its random arguments were made of.
message::EdgeValue<> messageOf(const ComputedValue &computed, const ValueStatistics &statistics,
                               const std::string &name, uint64_t seed);

} // namespace fuselage
