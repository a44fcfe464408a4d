#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/LaneSizes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

int64_t largestDivisor(int64_t range, int64_t limit) {
  for (int64_t divisor = std::min(range, limit); divisor > 1; --divisor)
    if (range % divisor == 0)
      return divisor;
  return 1;
}

int64_t laneColumns(int64_t extent) { return extent % 4 == 0 ? 4 : largestDivisor(extent, 8); }

/// A divisor below this is too small a tile, unless it is at least half of the target.
static constexpr int64_t leastDivisor = 8;

/// The least multiple of `multiple` that covers `range` in as many tiles as `target` does; at most `target`. By default
/// a multiple of 4, as threads hold results in blocks of 4 by 4.
static int64_t evenOut(int64_t range, int64_t target, int64_t multiple = 4) {
  int64_t least = llvm::divideCeil(range, llvm::divideCeil(range, target));
  return std::min(target, int64_t(llvm::alignTo(least, multiple)));
}

/// Tiles of a contraction that its last one may overlap the one before, each of whole instructions or registers.
static int64_t pickOverlapping(int64_t range, int64_t target, int64_t multiple) {
  int64_t below = largestDivisor(range, target);
  return below >= leastDivisor && below % multiple == 0 ? below : evenOut(range, target, multiple);
}

int64_t pickTile(int64_t range, int64_t target, LastTile last, int64_t multiple) {
  // A range that is no multiple of what instructions take, in two tiles that are.
  if (last == LastTile::OverlappingMultiple && multiple > 4 && target >= multiple && range > multiple &&
      range <= target && range % multiple != 0)
    return llvm::alignTo(llvm::divideCeil(range, 2), multiple);
  if (target <= 0 || ShapedType::isDynamic(range) || range <= target)
    return ShapedType::isDynamic(range) ? target : range;
  if (last == LastTile::OverlappingMultiple)
    return pickOverlapping(range, target, multiple);
  int64_t below = largestDivisor(range, target);
  if (below >= leastDivisor || below * 2 >= target)
    return below;
  // Where every tile must have one shape, a far too large one is still better than ones.
  int64_t limit = std::min(range, (last == LastTile::Full ? 4 : 2) * target);
  for (int64_t above = target + 1; above <= limit; ++above)
    if (range % above == 0)
      return above;
  if (last == LastTile::Overlapping)
    return evenOut(range, target);
  return last == LastTile::Short ? target : below;
}

} // namespace fuselage
