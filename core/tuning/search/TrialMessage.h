// A trial as the protocol has it.
#pragma once
#include "core/protocol/Tuning.h"
#include "core/tuning/search/Tuner.h"

namespace fuselage::tune {

/// All but its number and what it is beside others. A duplicate that ran has the times of its twin.
message::TuneTrial<> messageOf(const Trial &trial, Objective objective);

} // namespace fuselage::tune
