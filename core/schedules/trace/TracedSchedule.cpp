#include "core/schedules/trace/TracedSchedule.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

static constexpr unsigned kWindow = 32; // whoever looks at one position goes to its neighbours next

llvm::Error TracedSchedule::record(unsigned step, const std::atomic<bool> *cancelled) {
  if (step >= trace_.steps.size())
    return fail("there is no step " + std::to_string(step) + " in the schedule's trace");
  if (trace_.positions[step])
    return llvm::Error::success();
  TraceOptions options;
  options.first = step < kWindow ? 0 : step - kWindow;
  options.last = step + kWindow;
  options.limit = std::min<size_t>(options.last, trace_.steps.size());
  options.cancelled = cancelled;
  auto again = fuselage::trace(script_, payload_, options);
  if (!again)
    return again.takeError();
  for (unsigned i = options.first; i < std::min(again->positions.size(), trace_.positions.size()); ++i) {
    if (!trace_.positions[i] && again->positions[i])
      trace_.positions[i] = std::move(again->positions[i]);
  }
  if (!trace_.positions[step])
    return fail("the schedule took another way when it was run again, and did not come to step " +
                std::to_string(step));
  forgetFarFrom(step);
  return llvm::Error::success();
}

/// Each may hold a copy of the payload.
void TracedSchedule::forgetFarFrom(unsigned step) {
  constexpr unsigned most = 8 * kWindow;
  if (llvm::count_if(trace_.positions, [](const auto &position) { return position.has_value(); }) <= most)
    return;
  for (unsigned i = 0; i < trace_.positions.size(); ++i)
    if (i + 2 * kWindow < step || i > step + 2 * kWindow)
      trace_.positions[i].reset();
}

llvm::Error TracedSchedule::prepare(unsigned step, const std::atomic<bool> *cancelled) {
  constexpr unsigned reach = kWindow / 2;
  for (unsigned near = step < reach ? 0 : step - reach; near < std::min<size_t>(step + reach, trace_.positions.size());
       ++near)
    if (!trace_.positions[near])
      return record(near, cancelled);
  return llvm::Error::success();
}

} // namespace fuselage
