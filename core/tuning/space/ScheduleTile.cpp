#include "core/tuning/space/ScheduleTile.h"
#include "core/tuning/space/OnlyMatch.h"
#include "core/tuning/space/ScheduleTiling.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <numeric>
#include <set>

namespace fuselage::tune {
namespace {

class TileFinder {
public:
  TileFinder(const ScriptSpace &space, mlir::Operation *op) : space_(space), tile_{.op = op} {
    Expression whole;
    whole.constant(0);
    tile_.sizes.assign(mlir::cast<mlir::TilingInterface>(op).getLoopIteratorTypes().size(), whole);
    isSet_.assign(tile_.sizes.size(), false);
    order_.resize(tile_.sizes.size());
    std::iota(order_.begin(), order_.end(), 0u);
  }

  /// nullopt: a size is not known.
  std::optional<ScheduleTile> find(mlir::Value handle) {
    while (handle) {
      mlir::Value tiled;
      for (mlir::Operation *user : handle.getUsers()) { // a handle that is tiled is consumed: one of them does
        if (std::optional<ScheduleReorder> reorder = reorderOf(user)) {
          if (!reorderBy(reorder->order))
            return std::nullopt;
          tiled = reorder->result;
        }
        std::optional<ScheduleTiling> tiling = tilingOf(user);
        if (!tiling || tiling->target != handle)
          continue;
        if (!take(*tiling))
          return std::nullopt;
        tiled = tiling->tiled;
      }
      handle = tiled;
    }
    return tile_;
  }

private:
  bool take(const ScheduleTiling &tiling) {
    auto numbers = numbersOf(tiling.sizes, space_);
    if (!numbers || numbers->size() > tile_.sizes.size())
      return false;
    for (auto [own, number] : llvm::enumerate(*numbers)) {
      unsigned loop = order_[own];
      if (constantOf(number) == 0 || isSet_[loop])
        continue;
      std::optional<Expression> size = tiling.areCounts ? partOf(loop, number) : std::move(number);
      if (!size)
        return false;
      tile_.sizes[loop] = std::move(*size);
      isSet_[loop] = true;
    }
    return true;
  }

  bool reorderBy(llvm::ArrayRef<int64_t> order) {
    if (!order.empty() && order.size() != order_.size())
      return false;
    std::vector<unsigned> before = order_;
    for (auto [loop, from] : llvm::zip(order_, order))
      loop = before[from];
    return true;
  }

  /// The size of so many parts of a whole loop.
  std::optional<Expression> partOf(unsigned loop, const Expression &count) const {
    auto op = mlir::dyn_cast<mlir::linalg::LinalgOp>(tile_.op);
    int64_t range = op ? op.getStaticLoopRanges()[loop] : mlir::ShapedType::kDynamic;
    if (mlir::ShapedType::isDynamic(range))
      return std::nullopt;
    Expression size = count;
    int parts = size.result();
    size.make(ExprOp::Div,
              size.make(ExprOp::Sub, size.make(ExprOp::Add, size.constant(range), parts), size.constant(1)), parts);
    return size;
  }

  const ScriptSpace &space_;
  ScheduleTile tile_;
  std::vector<bool> isSet_;
  std::vector<unsigned> order_; ///< of each loop that the tile has by now, the op's
};

} // namespace

std::optional<ScheduleTile> scheduleTile(mlir::ModuleOp script, const ScriptSpace &space, mlir::func::FuncOp function) {
  std::optional<ScheduleTile> best;
  size_t most = 0;
  script.walk<mlir::WalkOrder::PreOrder>([&](mlir::transform::MatchOp match) {
    mlir::Operation *op = onlyMatch(match, function);
    auto tile = llvm::isa_and_present<mlir::TilingInterface>(op) ? TileFinder(space, op).find(match.getResults())
                                                                 : std::nullopt;
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
