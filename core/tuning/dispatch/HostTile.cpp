#include "core/tuning/dispatch/HostTile.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Isolate.h"

using namespace mlir;

namespace fuselage::tune {

/// The tile of an op that is a block of rows, by the loops of the op that it is a block of. Nullopt: it is no block.
static std::optional<RequestedTile> ofWholeOp(RequestedTile tile, ArrayRef<int64_t> ranges) {
  if (tile.ranges.size() != ranges.size())
    return std::nullopt;
  for (auto [block, range, task, registers] : llvm::zip_equal(tile.ranges, ranges, tile.task, tile.registers)) {
    if (block > range)
      return std::nullopt;
    if (block == range)
      continue;
    registers = registers == 0 ? block : registers;
    task = block;
  }
  tile.ranges.assign(ranges.begin(), ranges.end());
  return tile;
}

std::optional<RequestedTile> hostTile(func::FuncOp dispatch, const RequestedSizes &sizes) {
  linalg::LinalgOp shaping = shapingOp(dispatch);
  OwningOpRef<ModuleOp> alone = isolateFunction(dispatch);
  auto copy = alone->lookupSymbol<func::FuncOp>(dispatch.getName());
  if (!shaping || !copy || !requestSizes(copy, sizes))
    return std::nullopt;
  inlineDispatchRegions(*alone);
  HostTarget target = HostTarget::of(dispatch);
  if (llvm::Error error = lowerTensorsToMemRefs(*alone, {.kernels = true})) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  // What asks may have been given other loops, or become several ops.
  std::vector<RequestedTile> tiles = makeHostKernels(*alone, target).requested;
  if (tiles.size() != 1 || tiles.front().written != shaping.getMatchingIndexingMap(shaping.getDpsInitOperand(0)))
    return std::nullopt;
  RequestedTile tile = std::move(tiles.front());
  if (auto block = sizes.find(nameOf(KnobTarget{KnobRole::BlockRows})); block != sizes.end() && block->second > 0)
    return ofWholeOp(std::move(tile), shaping.getStaticLoopRanges());
  return tile.ranges == shaping.getStaticLoopRanges() ? std::optional(std::move(tile)) : std::nullopt;
}

} // namespace fuselage::tune
