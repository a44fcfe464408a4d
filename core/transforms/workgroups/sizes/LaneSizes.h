// Limits for the results that one lane computes on devices whose workgroups are single subgroups
// (SoftwareSubgroupStrategy.h).
#pragma once
#include <cstdint>

namespace fuselage {

/// Upper bound for the accumulators of a reduction per lane: more would not stay in registers.
inline constexpr int64_t lanePoints = 64;
/// A product is skinny if at most this many rows share the operand that lanes read contiguously; each lane then has
/// several vectors.
inline constexpr int64_t fewRows = 4;
/// If N is smaller than this, lanes lie along M.
inline constexpr int64_t fewColumns = 8;

/// Returns how many neighbouring columns of a tile of `extent` columns one lane computes: four, which move as a vector,
/// if that divides `extent`; else the largest divisor up to eight.
int64_t laneColumns(int64_t extent);

} // namespace fuselage
