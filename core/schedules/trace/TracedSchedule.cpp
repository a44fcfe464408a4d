#include "core/schedules/trace/TracedSchedule.h"

namespace fuselage {

llvm::Error TracedSchedule::record(unsigned step, const std::atomic<bool> *cancelled) {
  if (step >= trace_.steps.size())
    return fail("there is no step " + std::to_string(step) + " in the schedule's trace");
  if (trace_.positions[step])
    return llvm::Error::success();
  constexpr unsigned window = 32; // whoever looks at one position goes to its neighbours next
  TraceOptions options;
  options.first = step < window ? 0 : step - window;
  options.last = step + window;
  options.limit = std::min<size_t>(options.last, trace_.steps.size());
  options.cancelled = cancelled;
  auto again = fuselage::trace(script_, payload_, options);
  if (!again)
    return again.takeError();
  for (unsigned i = options.first; i < std::min(again->positions.size(), trace_.positions.size()); ++i) {
    if (!trace_.positions[i] && again->positions[i])
      trace_.positions[i] = std::move(again->positions[i]);
    if (!trace_.steps[i].changed && again->steps[i].outcome != TraceStep::Outcome::Unfinished)
      trace_.steps[i].changed = again->steps[i].changed;
  }
  if (!trace_.positions[step])
    return fail("the schedule took another way when it was run again, and did not come to step " + std::to_string(step));
  return llvm::Error::success();
}

} // namespace fuselage
