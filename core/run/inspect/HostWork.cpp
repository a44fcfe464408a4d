#include "core/run/inspect/HostWork.h"
#include "core/analysis/costs/Costs.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

std::optional<int64_t> iterationsOf(LoopLikeOpInterface loop) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  int64_t count = 1;
  for (auto [first, end, by] : llvm::zip_equal(*lower, *upper, *steps)) {
    auto from = getConstantIntValue(first), to = getConstantIntValue(end), step = getConstantIntValue(by);
    if (!from || !to || !step || *step <= 0)
      return std::nullopt;
    int64_t trips = *to <= *from ? 0 : int64_t(llvm::divideCeil(uint64_t(*to) - uint64_t(*from), uint64_t(*step)));
    if (llvm::MulOverflow(count, trips, count))
      return std::nullopt;
  }
  return count;
}

/// `depth`: of calls, which may have no end.
static int64_t flopsOf(Region &region, bool inLoop, unsigned depth);

static int64_t flopsOf(Operation *op, bool inLoop, unsigned depth) {
  if (isa<linalg::LinalgOp, flow::AttentionOp>(op))
    return costOf(op).flops;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    return callee && depth > 0 ? flopsOf(callee.getBody(), inLoop, depth - 1) : -1;
  }
  int64_t times = 1;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    std::optional<int64_t> count = iterationsOf(loop);
    if (!count)
      return -1;
    times = *count;
    inLoop = true;
  }
  StringRef dialect = op->getName().getDialectNamespace();
  int64_t total = inLoop && op->getNumRegions() == 0 && (dialect == "arith" || dialect == "math");
  for (Region &region : op->getRegions()) {
    int64_t inside = flopsOf(region, inLoop, depth);
    if (inside < 0 || llvm::MulOverflow(inside, times, inside) || llvm::AddOverflow(total, inside, total))
      return -1;
  }
  return total;
}

static int64_t flopsOf(Region &region, bool inLoop, unsigned depth) {
  int64_t total = 0;
  for (Block &block : region)
    for (Operation &op : block) {
      int64_t flops = flopsOf(&op, inLoop, depth);
      if (flops < 0 || llvm::AddOverflow(total, flops, total))
        return -1;
    }
  return total;
}

int64_t flopsOf(func::FuncOp function) {
  constexpr unsigned mostCalls = 16;
  return flopsOf(function.getBody(), false, mostCalls);
}

} // namespace fuselage
