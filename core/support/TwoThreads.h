// Two pieces of work at the same time.
#pragma once
#include <functional>

namespace fuselage {

/// Whether this process may use two processors. FUSELAGE_JOBS=1 says no.
bool hasTwoProcessors();

/// Calls `first` on this thread and `second` on another one, which has a large stack, and waits for both. With one
/// processor, or if there can be no other thread, `second` runs before `first`. Neither may write what the other uses.
void runBoth(const std::function<void()> &first, const std::function<void()> &second);

} // namespace fuselage
