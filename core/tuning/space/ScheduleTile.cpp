#include "core/tuning/space/ScheduleTile.h"
#include "core/tuning/space/OnlyMatch.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <set>

namespace fuselage::tune {
namespace {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// The sizes of an op that tiles `handle`, and its handle to what was tiled; null: it is no such op.
std::pair<Sizes, mlir::Value> tilingOf(mlir::Operation *op, mlir::Value handle) {
  if (auto loops = mlir::dyn_cast<mlir::transform::TileUsingForOp>(op); loops && loops.getTarget() == handle)
    return {loops.getMixedSizes(), loops.getTiledLinalgOp()};
  if (auto forall = mlir::dyn_cast<mlir::transform::TileUsingForallOp>(op); forall && forall.getTarget() == handle)
    return {forall.getMixedTileSizes(), forall.getTiledOp()};
  if (auto fuse = mlir::dyn_cast<mlir::transform::FuseOp>(op); fuse && fuse.getTarget() == handle)
    return {fuse.getMixedTileSizes(), fuse.getTransformed()};
  return {};
}

class TileFinder {
public:
  TileFinder(const ScriptSpace &space, mlir::Operation *op) : space_(space), tile_{.op = op} {
    Expression whole;
    whole.constant(0);
    tile_.sizes.assign(mlir::cast<mlir::TilingInterface>(op).getLoopIteratorTypes().size(), whole);
    isSet_.assign(tile_.sizes.size(), false);
  }

  /// nullopt: a size is not known.
  std::optional<ScheduleTile> find(mlir::Value handle) {
    while (handle) {
      mlir::Value tiled;
      for (mlir::Operation *user : handle.getUsers()) { // a handle that is tiled is consumed: one of them does
        auto [sizes, next] = tilingOf(user, handle);
        if (!next)
          continue;
        if (!take(sizes))
          return std::nullopt;
        tiled = next;
      }
      handle = tiled;
    }
    return tile_;
  }

private:
  bool take(llvm::ArrayRef<mlir::OpFoldResult> sizes) {
    for (auto [loop, size] : llvm::enumerate(sizes)) {
      if (loop >= tile_.sizes.size())
        return false;
      auto number = llvm::dyn_cast<mlir::Attribute>(size);
      Expression known;
      if (auto constant = llvm::dyn_cast_if_present<mlir::IntegerAttr>(number))
        known.constant(constant.getInt());
      else if (auto found = number ? space_.numbers.end() : space_.numbers.find(llvm::cast<mlir::Value>(size)); found != space_.numbers.end())
        known = found->second;
      else
        return false;
      bool isWhole = known.knobs().empty() && known.evaluate({}) == 0;
      if (isWhole || isSet_[loop])
        continue;
      tile_.sizes[loop] = std::move(known);
      isSet_[loop] = true;
    }
    return true;
  }

  const ScriptSpace &space_;
  ScheduleTile tile_;
  std::vector<bool> isSet_;
};

} // namespace

std::optional<ScheduleTile> scheduleTile(mlir::ModuleOp script, const ScriptSpace &space, mlir::func::FuncOp function) {
  std::optional<ScheduleTile> best;
  size_t most = 0;
  script.walk<mlir::WalkOrder::PreOrder>([&](mlir::transform::MatchOp match) {
    mlir::Operation *op = onlyMatch(match, function);
    auto tile = llvm::isa_and_present<mlir::TilingInterface>(op) ? TileFinder(space, op).find(match.getResults()) : std::nullopt;
    if (!tile)
      return;
    std::set<unsigned> knobs;
    for (const Expression &size : tile->sizes)
      for (unsigned knob : size.knobs())
        knobs.insert(knob);
    if (knobs.size() > most) {
      most = knobs.size();
      best = std::move(tile);
    }
  });
  return best;
}

} // namespace fuselage::tune
