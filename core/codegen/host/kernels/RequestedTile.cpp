#include "core/codegen/host/kernels/RequestedTile.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

/// Of a loop that stands for those of `members`, the outermost first: a part of `size` iterations, the first of them,
/// as a box. False: it is none.
static bool setBox(int64_t size, ArrayRef<unsigned> members, ArrayRef<int64_t> ranges, MutableArrayRef<int64_t> box) {
  for (unsigned member : llvm::reverse(members)) {
    int64_t range = ranges[member];
    bool isWhole = size % range == 0;
    if (!isWhole && range % size != 0 && members.size() > 1)
      return false;
    box[member] = isWhole ? 0 : size;
    size = isWhole ? size / range : 1;
  }
  return true;
}

std::optional<RequestedTile> requestedTileOf(linalg::LinalgOp op, const LoopKernel &kernel, const LoopPlan &plan) {
  if (kernel.members.size() != kernel.ranges.size())
    return std::nullopt;
  RequestedTile tile{.ranges = op.getStaticLoopRanges(),
                     .written = op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
                     .task = {},
                     .registers = {}};
  tile.task.assign(tile.ranges.size(), 0);
  tile.registers = tile.task;
  bool isBox = true;
  auto set = [&](unsigned loop, int64_t task, int64_t registers) {
    int64_t range = kernel.ranges[loop];
    isBox = isBox && setBox(std::min(task, range), kernel.members[loop], tile.ranges, tile.task) &&
            setBox(std::min({registers, task, range}), kernel.members[loop], tile.ranges, tile.registers);
  };
  int64_t width = plan.vectors * plan.lanes;
  set(plan.vectorLoop, plan.alongReduction ? kernel.ranges[plan.vectorLoop] : plan.vectorBlock, width);
  if (plan.rowLoop)
    set(*plan.rowLoop, plan.rowBlock, plan.rows);
  for (unsigned loop : plan.outer)
    set(loop, 1, 1);
  return isBox ? std::optional(std::move(tile)) : std::nullopt;
}

} // namespace fuselage
