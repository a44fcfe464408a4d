// A clock for what takes less than a look at the system's clock.
#pragma once
#include <chrono>
#include <cstdint>

namespace fuselage {

/// Counts ticks of the processor. There are some 100,000 attempts in a large step, and reading the system's clock once
/// for each takes longer than all else that is noted of them.
class TickClock {
public:
  static uint64_t now() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }

  /// How long a tick is, by the system's clock since this clock was made.
  double microsecondsPerTick() const {
    const uint64_t ticks = now() - startTicks_;
    const auto passed = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
    return ticks > 0 ? passed / double(ticks) : 0;
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  uint64_t startTicks_ = now();
};

} // namespace fuselage
