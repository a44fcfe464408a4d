#include "core/support/Expendable.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <malloc.h>
#include <unistd.h>

namespace fuselage {

static std::atomic<bool> expendable = false;

ExpendableScope::ExpendableScope() { expendable = true; }

ExpendableScope::~ExpendableScope() { expendable = false; }

bool isExpendable() { return expendable; }

/// Private writable memory in bytes, as RLIMIT_DATA counts it; nullopt if unknown.
static std::optional<uint64_t> dataBytes() {
  FILE *file = std::fopen("/proc/self/statm", "re");
  if (!file)
    return std::nullopt;
  unsigned long long data = 0;
  int fields = std::fscanf(file, "%*u %*u %*u %*u %*u %llu", &data);
  std::fclose(file);
  return fields == 1 ? std::optional(data * static_cast<uint64_t>(sysconf(_SC_PAGESIZE))) : std::nullopt;
}

/// Sets the soft limit, which can be raised again.
static void limitTo(int resource, rlimit before, rlim_t most) {
  before.rlim_cur = std::min({before.rlim_cur, before.rlim_max, most});
  setrlimit(resource, &before);
}

ExpendableLimits::ExpendableLimits(const TrialLimits &limits) {
  Before now{};
  rusage used{};
  std::optional<uint64_t> data = dataBytes();
  if (!isExpendable() || !data || getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &now.processor) != 0 ||
      getrlimit(RLIMIT_DATA, &now.data) != 0 || getrlimit(RLIMIT_CORE, &now.core) != 0)
    return;
  before_ = now;
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2); // both are rounded down
  limitTo(RLIMIT_CPU, now.processor, seconds + limits.seconds);
  limitTo(RLIMIT_DATA, now.data, *data + limits.bytes);
  limitTo(RLIMIT_CORE, now.core, 0);
#ifdef __GLIBC__
  if (limits.fillsMemory)
    mallopt(M_PERTURB, kFreedMemory);
#endif
}

ExpendableLimits::~ExpendableLimits() {
  if (!before_)
    return;
#ifdef __GLIBC__
  mallopt(M_PERTURB, 0);
#endif
  checkHeap();
  setrlimit(RLIMIT_CPU, &before_->processor);
  setrlimit(RLIMIT_DATA, &before_->data);
  setrlimit(RLIMIT_CORE, &before_->core);
}

} // namespace fuselage
