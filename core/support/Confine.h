// Takes everything but computing away from this process.
#pragma once
#include <span>

namespace fuselage {

/// From here on system calls fail with EPERM, but for those that memory, clocks and the end of a process
/// need, and writing to the given descriptors; no descriptor can be opened any more. There is no way back,
/// so call it in a forked copy only. Uses seccomp where the kernel has it (see seccomp(2)), else limits
/// alone; with a sanitizer, whose runtime needs more, limits alone too.
void confineToComputing(std::span<const int> writable);

} // namespace fuselage
