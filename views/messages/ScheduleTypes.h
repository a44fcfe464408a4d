// A schedule's trace, as Qt values.
#pragma once
#include "core/protocol/Schedules.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using ScheduleStep = message::ScheduleStep<QtTypes>;
using ScheduleHandle = message::ScheduleHandle<QtTypes>;
using ScheduleTrace = message::ScheduleTrace<QtTypes>;
using LineForms = message::LineForms<QtTypes>;
using FormHelp = message::FormHelp<QtTypes>;
using FormHelps = message::FormHelps<QtTypes>;
using SchedulePosition = message::SchedulePosition<QtTypes>;

} // namespace fuselage::protocol
