#include "core/tuning/dispatch/HostTile.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Isolate.h"

using namespace mlir;

namespace fuselage::tune {

std::optional<AskedTile> hostTile(func::FuncOp dispatch, const AskedSizes &sizes) {
  linalg::LinalgOp shaping = shapingOp(dispatch);
  OwningOpRef<ModuleOp> alone = isolateFunction(dispatch);
  auto copy = alone->lookupSymbol<func::FuncOp>(dispatch.getName());
  if (!shaping || !copy || !askFor(copy, sizes))
    return std::nullopt;
  inlineDispatchRegions(*alone);
  HostTarget target = HostTarget::ofThisMachine();
  if (llvm::Error error = lowerTensorsToMemRefs(*alone, {.kernels = &target})) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  // What asks may have been given other loops, or become several ops.
  std::vector<AskedTile> tiles = makeHostKernels(*alone, target).asked;
  bool isOne = tiles.size() == 1 && tiles.front().ranges == shaping.getStaticLoopRanges() &&
               tiles.front().written == shaping.getMatchingIndexingMap(shaping.getDpsInitOperand(0));
  return isOne ? std::optional(std::move(tiles.front())) : std::nullopt;
}

} // namespace fuselage::tune
