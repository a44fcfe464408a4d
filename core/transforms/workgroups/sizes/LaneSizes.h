// What one lane of a subgroup computes, where a subgroup is a workgroup and its lanes keep results in registers.
#pragma once
#include <cstdint>

namespace fuselage {

/// Results of a reduction that a lane keeps at most: more accumulators than that live in memory anyway.
inline constexpr int64_t lanePoints = 64;
/// Where so many rows at most share what lanes read side by side, these read several vectors each.
inline constexpr int64_t fewRows = 4;
/// Fewer columns than this are too few for lanes to lie along.
inline constexpr int64_t fewColumns = 8;

/// Columns of a result that one lane computes beside each other, of a tile with `extent` of them: four, which move as a
/// vector, or else the largest divisor up to eight.
int64_t laneColumns(int64_t extent);

} // namespace fuselage
