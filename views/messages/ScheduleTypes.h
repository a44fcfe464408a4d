// A schedule's trace, as Qt values.
#pragma once
#include "core/protocol/Schedules.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using ScheduleStep = message::ScheduleStep<QtTypes>;
using ScheduleHandle = message::ScheduleHandle<QtTypes>;
using ScheduleCheck = message::ScheduleCheck<QtTypes>;
using ScriptCompletion = message::ScriptCompletion<QtTypes>;
using ScriptCompletionItem = message::ScriptCompletionItem<QtTypes>;
using ScheduleTrace = message::ScheduleTrace<QtTypes>;
using SchedulePosition = message::SchedulePosition<QtTypes>;

} // namespace fuselage::protocol
