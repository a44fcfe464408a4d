// A trial as a message of the protocol.
#pragma once
#include "core/protocol/Tuning.h"
#include "core/tuning/search/Tuner.h"

namespace fuselage::tune {

/// Converts a trial; its number and its rank are not set. A duplicate has the times of the kernel that it equals.
message::TuneTrial<> messageOf(const Trial &trial, Objective objective);

} // namespace fuselage::tune
