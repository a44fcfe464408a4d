// The rules for kinds of devices that have their own.
#include "core/transforms/workgroups/TilingPolicy.h"

namespace fuselage {

int64_t laneColumns(int64_t extent) { return extent % 4 == 0 ? 4 : largestDivisor(extent, 8); }

TilingPolicy TilingPolicy::forUnits(int64_t units) {
  TilingPolicy policy;
  if (units <= 0)
    return policy;
  policy.units = units;
  policy.contractionDepth = 16;
  return policy;
}

TilingPolicy TilingPolicy::forLanes(int64_t lanes) {
  TilingPolicy policy;
  if (lanes <= 0)
    return policy;
  constexpr int64_t vectorWidth = 4;
  policy.lanes = lanes;
  policy.contractionRows = 16;
  policy.contractionColumns = vectorWidth * lanes;
  policy.elementwiseElements = 2048;
  // Whole lines of the cache are written at once, and read in runs that the processor fetches ahead of.
  policy.transposeLineBytes = 64;
  policy.transposeRun = 256;
  policy.reductionElements = 1;
  policy.reductionRows = lanes;
  policy.reductionColumns = vectorWidth * lanes;
  policy.longReduction = int64_t(1) << 18;
  return policy;
}

} // namespace fuselage
