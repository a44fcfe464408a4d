// The names of the roofs of memories. Those of arithmetic are named by their types.
#pragma once

namespace fuselage {

inline constexpr const char *kMemoryRoof = "memory", *kCacheRoof = "last cache", *kLevel2Roof = "L2",
                            *kLevel1Roof = "L1";

} // namespace fuselage
