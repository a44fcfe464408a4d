#include "core/support/TwoThreads.h"
#include "core/support/LargeStack.h"
#include <cstdlib>
#include <sched.h>
#include <string_view>

namespace fuselage {

bool hasTwoProcessors() {
  if (const char *jobs = std::getenv("FUSELAGE_JOBS"); jobs && std::string_view(jobs) == "1")
    return false;
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof(usable), &usable) == 0 && CPU_COUNT(&usable) > 1;
}

void runBoth(const std::function<void()> &first, const std::function<void()> &second) {
  if (!hasTwoProcessors()) {
    second();
    return first();
  }
  LargeStackThread other(second);
  first();
}

} // namespace fuselage
