// How much of this machine code on the host may use.
#pragma once
#include <cstdint>

namespace fuselage {

/// What one call of a HostProgram may use up. Zeros mean: by what the program's ops and types say they
/// need, with a margin (10 s and 2 GiB at least).
struct HostLimits {
  unsigned seconds = 0; ///< of processor time
  uint64_t bytes = 0;   ///< of memory, beyond what the process holds already
};

} // namespace fuselage
