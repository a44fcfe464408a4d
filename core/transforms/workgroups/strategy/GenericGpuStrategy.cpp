#include "core/transforms/workgroups/strategy/GenericGpuStrategy.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

GenericGpuStrategy::GenericGpuStrategy(const DeviceModel &device, const TileTargets &sizes)
    : TargetStrategy(device, sizes) {}

std::optional<int64_t> GenericGpuStrategy::multiprocessors() const {
  const Stated<int64_t> &units = device().computeUnits;
  return device().isSoftware() || units.value <= 0 ? std::nullopt : std::optional(units.value);
}

bool GenericGpuStrategy::shouldSplitReduction(int64_t, int64_t, int64_t) const { return false; }

void GenericGpuStrategy::contractionTargets(linalg::LinalgOp op, const KernelContext &kernel,
                                            SmallVectorImpl<int64_t> &targets) const {
  linalg::ContractionDimensions dims = *contractionDims(op);
  bool both = !dims.m.empty() && !dims.n.empty();
  std::optional<WideTile> wide = pickWideTile(op, kernel);
  // Four subgroups with 32 by 32 results each.
  int64_t matrixSide = instructionK(op) != 0 ? 64 : 0;
  if (!dims.m.empty())
    targets[dims.m.back()] = wide   ? wide->rows
                             : both ? std::max(sizes().contractionRows, matrixSide)
                                    : sizes().contractionColumns;
  if (!dims.n.empty())
    targets[dims.n.back()] = wide ? wide->columns : std::max(sizes().contractionColumns, matrixSide);
  // Short rows (or columns) leave room along the loops next to them.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto *loops : {&dims.m, &dims.n}) {
    if (loops->empty())
      continue;
    SmallVector<unsigned> order(llvm::reverse(*loops));
    shareOut(order, ranges, targets[loops->back()], targets);
  }
}

void GenericGpuStrategy::convolutionTargets(linalg::LinalgOp, ArrayRef<unsigned> order,
                                            SmallVectorImpl<int64_t> &targets) const {
  constexpr int64_t innermost[] = {32, 8, 4}; // dimensions further out get 1
  for (auto [loop, size] : llvm::zip(order, innermost))
    targets[loop] = size;
}

TargetStrategy::TransposeTile GenericGpuStrategy::transposeTile(int64_t) const {
  constexpr int64_t side = 32;
  return {.written = side, .read = side};
}

} // namespace fuselage
