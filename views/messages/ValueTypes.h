// Values inside of a program, as Qt values.
#pragma once
#include "core/protocol/Values.h"
#include "views/messages/RunTypes.h"

namespace fuselage::protocol {

using ValueStatistics = message::ValueStatistics<QtTypes>;
using ValueSlice = message::ValueSlice<QtTypes>;
using EdgeValue = message::EdgeValue<QtTypes>;
using ValueFile = message::ValueFile<QtTypes>;
using NonFiniteValue = message::NonFiniteValue<QtTypes>;

} // namespace fuselage::protocol
