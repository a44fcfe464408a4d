// Producers that others read as well, and what becomes of the ops that were fused.
#include "core/transforms/tile_and_fuse/TileFuser.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

/// True if something outside of the loops needs the value of `op`.
bool TileFuser::isUsedOutside(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !nest_->contains(user) && user != nest_->outermost() && !isa<tensor::DimOp>(user) &&
           !vanishing_.contains(user);
  });
}

/// True if the loops can return the value of `op` that they compute along `slices`, to all others
/// that read it.
bool TileFuser::canYield(Operation *op, const Slices &slices) {
  tensor::ExtractSliceOp slice = slices.front();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (op->getNumResults() != 1 || !type || !type.hasStaticShape() || slice.getSource() != op->getResult(0) ||
      !slice.hasUnitStride() || slice.getType().getRank() != type.getRank() || slice->getBlock() != nest_->body() ||
      !nest_->isPartition(slice.getMixedOffsets(), slice.getMixedSizes(), type.getShape()))
    return false;
  return nest_->readersFollow(op);
}

/// Erases `op` if at most its sizes are asked for.
void TileFuser::eraseIfDead(Operation *op) {
  if (!isMemoryEffectFree(op) ||
      !llvm::all_of(op->getUsers(), [](Operation *user) { return isa<tensor::DimOp>(user); }))
    return;
  if (!op->use_empty()) {
    OpBuilder::InsertionGuard guard(rewriter_);
    rewriter_.setInsertionPoint(op);
    ReifiedRankedShapedTypeDims sizes;
    if (failed(sizesOfResults(rewriter_, op, sizes)))
      return;
    numbers_ = IndexValueNumbering(); // dimensions that it may know vanish
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      auto dim = cast<tensor::DimOp>(use.getOwner());
      std::optional<int64_t> index = dim.getConstantIndex();
      auto value = cast<OpResult>(use.get());
      if (!index || *index < 0 || *index >= int64_t(sizes[value.getResultNumber()].size()))
        return;
      rewriter_.replaceOp(
          dim, getValueOrCreateConstantIndexOp(rewriter_, op->getLoc(), sizes[value.getResultNumber()][*index]));
    }
  }
  if (op->use_empty())
    rewriter_.eraseOp(op);
}

/// Lets the loops return the shared producers' values.
void TileFuser::yieldProducers() {
  SmallVector<NestTile> tiles = llvm::map_to_vector(yields_, [](const auto &yield) { return yield.second; });
  for (auto [yield, made] : llvm::zip_equal(yields_, nest_->addResults(rewriter_, tiles))) {
    rewriter_.replaceAllUsesWith(yield.first, made);
    eraseIfDead(yield.first.getOwner());
  }
}

} // namespace fuselage
