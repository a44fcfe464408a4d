// What can be done to an op by a line of a schedule.
#pragma once
#include "core/schedules/write/ScheduleAction.h"

namespace fuselage {

/// All of them, in the order of a menu.
const std::vector<ScheduleAction> &scheduleActions();
/// Null: there is none of that name.
const ScheduleAction *findAction(llvm::StringRef name);

} // namespace fuselage
