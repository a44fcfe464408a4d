// The names of the peaks of memories. Those of arithmetic are named by their types.
#pragma once

namespace fuselage {

inline constexpr const char *kMemoryPeak = "memory", *kCachePeak = "last cache", *kLevel2Peak = "L2",
                            *kLevel1Peak = "L1";

} // namespace fuselage
