// A schedule's trace, as Qt values.
#pragma once
#include "core/protocol/ScheduleActions.h"
#include "core/protocol/Schedules.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using ScheduleStep = message::ScheduleStep<QtTypes>;
using ScheduleHandle = message::ScheduleHandle<QtTypes>;
using LineForms = message::LineForms<QtTypes>;
using ScheduleCheck = message::ScheduleCheck<QtTypes>;
using ScriptCompletion = message::ScriptCompletion<QtTypes>;
using ScriptCompletionItem = message::ScriptCompletionItem<QtTypes>;
using ScheduleTrace = message::ScheduleTrace<QtTypes>;
using SchedulePosition = message::SchedulePosition<QtTypes>;
using ScheduleActionOption = message::ScheduleActionOption<QtTypes>;
using ScheduleAction = message::ScheduleAction<QtTypes>;
using ScheduleActions = message::ScheduleActions<QtTypes>;
using WrittenSchedule = message::WrittenSchedule<QtTypes>;

} // namespace fuselage::protocol
