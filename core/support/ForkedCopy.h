// Does something dangerous in a forked copy of the process.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace fuselage {

/// What the copy may use up: seconds of processor time, bytes of memory beyond what is used now.
struct TrialLimits {
  unsigned seconds = 3;
  uint64_t bytes = uint64_t(1) << 30;
  const std::atomic<bool> *cancelled = nullptr; ///< once true, the copy is killed
  /// Fresh memory and memory that was freed hold nonsense: who reads it dies in the copy, not by chance.
  bool fillsMemory = false;
};

/// What became of the copy.
struct TrialResult {
  /// How it died: "crashes with signal 11 (Segmentation fault)", "takes more than 3 s", "takes more than
  /// 1024 MiB", "cancelled". Nullopt: it came to its end.
  std::optional<std::string> death;
  int signal = 0;     ///< of a crash
  std::string output; ///< what the work wrote
};

/// What M_PERTURB of glibc's allocator fills memory with: neither a pointer nor a small number.
constexpr int kFreedMemory = 0x5a;

/// Resident memory of a process in bytes; 0 if unknown.
uint64_t residentBytes(pid_t process);

/// Has the allocator look over its heap; the process dies if it is damaged.
void checkHeap();

/// Calls `work` in a forked copy of this process, on a large stack, whose death hurts nobody, and waits for
/// it. Whatever memory the work damages is the copy's; only what it writes to `pipe` comes back. Anything
/// printed goes nowhere. At the end the allocator looks over its heap: damage that has hurt nothing yet is a
/// death, too. Nullopt: no copy can be made. Costs a fork, about 5 ms for each 100 MiB in use.
///
/// `meanwhile`: what this process does itself, on a large stack, as soon as the copy has written anything.
std::optional<TrialResult> runForked(TrialLimits limits, const std::function<void(int pipe)> &work,
                                     const std::function<void()> &meanwhile = nullptr);

} // namespace fuselage
