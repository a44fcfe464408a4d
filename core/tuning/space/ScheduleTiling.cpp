#include "core/tuning/space/ScheduleTiling.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::tune {

std::optional<ScheduleTiling> tilingOf(mlir::Operation *op) {
  if (auto tile = mlir::dyn_cast<mlir::transform::TileUsingForOp>(op);
      tile && !llvm::is_contained(tile.getScalableSizes(), true))
    return ScheduleTiling{.target = tile.getTarget(), .tiled = tile.getTiledLinalgOp(), .sizes = tile.getMixedSizes()};
  if (auto tile = mlir::dyn_cast<mlir::transform::TileUsingForallOp>(op);
      tile && !tile.getPackedNumThreads() && !tile.getPackedTileSizes()) {
    bool areCounts = !tile.getMixedNumThreads().empty();
    return ScheduleTiling{.target = tile.getTarget(),
                          .tiled = tile.getTiledOp(),
                          .loops = tile.getForallOp(),
                          .sizes = areCounts ? tile.getMixedNumThreads() : tile.getMixedTileSizes(),
                          .areCounts = areCounts,
                          .mapping = tile.getMapping().value_or(mlir::ArrayAttr())};
  }
  if (auto fuse = mlir::dyn_cast<mlir::transform::FuseOp>(op))
    return ScheduleTiling{
        .target = fuse.getTarget(), .tiled = fuse.getTransformed(), .sizes = fuse.getMixedTileSizes()};
  return std::nullopt;
}

std::optional<ScheduleReorder> reorderOf(mlir::Operation *op) {
  if (auto interchange = mlir::dyn_cast<mlir::transform::InterchangeOp>(op))
    return ScheduleReorder{.target = interchange.getTarget(),
                           .result = interchange.getTransformed(),
                           .order = interchange.getIteratorInterchange()};
  if (auto generalize = mlir::dyn_cast<mlir::transform::GeneralizeOp>(op))
    return ScheduleReorder{
        .target = generalize.getTarget(), .result = generalize.getTransformed(), .isGeneralized = true};
  return std::nullopt;
}

std::optional<Expression> numberOf(mlir::OpFoldResult size, const ScriptSpace &space) {
  if (std::optional<int64_t> constant = mlir::getConstantIntValue(size)) {
    Expression number;
    number.constant(*constant);
    return number;
  }
  auto value = llvm::dyn_cast<mlir::Value>(size);
  auto found = value ? space.numbers.find(value) : space.numbers.end();
  return found == space.numbers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<Expression>> numbersOf(llvm::ArrayRef<mlir::OpFoldResult> sizes, const ScriptSpace &space) {
  std::vector<Expression> numbers;
  for (mlir::OpFoldResult size : sizes) {
    std::optional<Expression> number = numberOf(size, space);
    if (!number)
      return std::nullopt;
    numbers.push_back(std::move(*number));
  }
  return numbers;
}

std::optional<int64_t> constantOf(const Expression &number) {
  return number.knobs().empty() ? number.evaluate({}) : std::nullopt;
}

} // namespace fuselage::tune
