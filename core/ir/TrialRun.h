// Does something dangerous in a forked copy of the process first.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage {

/// What the copy may use up: seconds of processor time, bytes of memory beyond what is used now.
struct TrialLimits {
  unsigned seconds = 3;
  uint64_t bytes = uint64_t(1) << 30;
};

/// Calls `work` in a forked copy of this process, whose output goes nowhere and whose death hurts
/// nobody, and waits for it. Returns how the copy died ("crashes with signal 11 (Segmentation fault)",
/// "takes more than 3 s", "takes more than 1024 MiB"); nullopt: it survived, and so will the same work
/// here, since the copy has our memory down to the addresses. Where no copy can be made there is no
/// trial either, and nullopt is returned. Costs a fork, about 5 ms for each 100 MiB in use, and the work.
std::optional<std::string> dieTrying(TrialLimits limits, llvm::function_ref<void()> work);

} // namespace fuselage
