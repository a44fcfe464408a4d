// The parts of the table of actions. Internal to core/schedules/write.
#pragma once
#include "core/schedules/write/ScheduleAction.h"

namespace fuselage {

/// On ops of linalg and their like.
std::vector<ScheduleAction> structuredActions();
/// On loops, and on what is fused into them.
std::vector<ScheduleAction> loopActions();
/// On functions and modules, whichever op in them was pointed at.
std::vector<ScheduleAction> moduleActions();

/// Nothing to choose.
inline std::vector<ActionOption> noOptions(mlir::Operation *) { return {}; }
/// "8, 16"
std::string listed(llvm::ArrayRef<int64_t> numbers);
/// "!transform.any_op, !transform.any_op"
std::string anyOps(unsigned count);

} // namespace fuselage
