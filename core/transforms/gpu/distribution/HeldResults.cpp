#include "core/transforms/gpu/distribution/HeldResults.h"
#include "core/transforms/gpu/distribution/LaneTile.h"
#include "core/transforms/gpu/distribution/PiecePoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

std::optional<RegisterTile> HeldResults::tileOf(linalg::LinalgOp op) const {
  return how_.isOneSubgroup() ? pickLaneTile(op, how_.lanes)
                              : pickRegisterTile(op, how_.threads, how_.threads, how_.holdsLargeTiles);
}

int64_t HeldResults::holdersOf(linalg::LinalgOp op) const {
  if (std::optional<MatrixTile> tile = matrixTileOf(op))
    return tile->threads();
  std::optional<RegisterTile> tile = tileOf(op);
  return tile ? tile->threads : 0;
}

bool HeldResults::canContinue(linalg::LinalgOp op) const {
  std::optional<MatrixTile> matrix = matrixTileOf(op);
  return matrix ? !matrix->shape.isOpaque : how_.continuesInRegisters && holdersOf(op) != 0;
}

/// Threads without a piece repeat the last one, and do not store it: all threads stay together for the barriers.
Holding HeldResults::hold(linalg::LinalgOp op) const {
  Location loc = op.getLoc();
  if (std::optional<MatrixTile> tile = matrixTileOf(op)) {
    Holding holding{.holders = tile->threads(), .points = {}, .matrix = nullptr, .cooperative = nullptr, .sharing = {}};
    if (tile->shape.isOpaque) {
      holding.cooperative = std::make_shared<CooperativeEmitter>(rewriter_, op, *tile);
    } else {
      holding.matrix = std::make_shared<MatrixEmitter>(rewriter_, op, *tile, thread_);
      holding.points = llvm::to_vector(holding.matrix->points());
    }
    return holding;
  }
  RegisterTile tile = *tileOf(op);
  LaneSharing sharing{.sizes = tile.sizes, .stepsInFours = tile.together != 0, .wholeSteps = tile.wholeSteps};
  if (how_.isOneSubgroup())
    sharing = sharedByLanes(op, tile, thread_, how_.lanes);
  Value piece = thread_;
  if (tile.threads < how_.threads)
    piece = arith::MinUIOp::create(rewriter_, loc, thread_,
                                   arith::ConstantIndexOp::create(rewriter_, loc, tile.threads - 1));
  return {.holders = tile.threads,
          .points = pointsOfPiece(rewriter_, loc, piece, tile),
          .matrix = nullptr,
          .cooperative = nullptr,
          .sharing = sharing};
}

SmallVector<Value> HeldResults::elementsOf(const Holding &holding, linalg::LinalgOp op, ArrayRef<Value> registers,
                                           size_t first, size_t count) const {
  if (holding.matrix)
    return holding.matrix->unpack(registers, first, count);
  size_t outputs = op.getNumDpsInits();
  return llvm::to_vector(registers.slice(first * outputs, count * outputs));
}

SmallVector<Value> HeldResults::accumulate(linalg::LinalgOp op, const Holding &holding, ValueRange registers) const {
  if (holding.cooperative)
    return holding.cooperative->multiply(registers);
  return holding.matrix ? holding.matrix->multiply(registers)
                        : emitPoints(rewriter_, op, holding.points, registers, holding.sharing);
}

Value HeldResults::stores(const Holding &holding, Location loc) const {
  if (holding.holders == how_.threads)
    return {};
  if (holding.cooperative)
    return holding.cooperative->hasPart();
  return arith::CmpIOp::create(rewriter_, loc, arith::CmpIPredicate::ult, thread_,
                               arith::ConstantIndexOp::create(rewriter_, loc, holding.holders));
}

} // namespace fuselage
