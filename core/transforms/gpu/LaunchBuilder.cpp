#include "core/transforms/gpu/LaunchBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

bool hasStaticBuffers(func::FuncOp dispatch) {
  auto isDynamic = [](Type type) {
    auto buffer = dyn_cast<MemRefType>(type);
    return isa<BaseMemRefType>(type) && (!buffer || !buffer.hasStaticShape());
  };
  if (llvm::none_of(dispatch.getArgumentTypes(), isDynamic) && llvm::none_of(dispatch.getResultTypes(), isDynamic))
    return true;
  dispatch.emitRemark("has buffers of dynamic size and is not mapped to a GPU; give sizes to the "
                      "function's arguments to compile it");
  return false;
}

gpu::LaunchOp createLaunch(OpBuilder &builder, Location loc, std::array<int64_t, 3> grid,
                           std::array<int64_t, 3> block) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto launch = gpu::LaunchOp::create(builder, loc, constant(grid[0]), constant(grid[1]), constant(grid[2]),
                                      constant(block[0]), constant(block[1]), constant(block[2]));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(builder, loc);
  return launch;
}

std::array<int64_t, 3> gridFor(int64_t workgroups) {
  constexpr int64_t limit = 65535;
  if (workgroups <= limit)
    return {std::max<int64_t>(workgroups, 1), 1, 1};
  return {limit, int64_t(llvm::divideCeil(workgroups, limit)), 1};
}

Value linearWorkgroup(OpBuilder &builder, gpu::LaunchOp launch) {
  Location loc = launch.getLoc();
  gpu::KernelDim3 block = launch.getBlockIds();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  if (matchPattern(grid.y, m_One()))
    return block.x;
  Value row = arith::MulIOp::create(builder, loc, block.y, grid.x);
  return arith::AddIOp::create(builder, loc, row, block.x);
}

void sinkIntoLaunch(RewriterBase &rewriter, gpu::LaunchOp launch, llvm::function_ref<bool(Operation *)> mayMove) {
  llvm::SetVector<Operation *> sunk;
  SmallVector<Value> worklist;
  auto visit = [&](Value value) {
    Operation *def = value.getDefiningOp();
    bool moves =
        def && def->getNumRegions() == 0 && (isMemoryEffectFree(def) || mayMove(def)) && !isa<gpu::LaunchOp>(def);
    if (moves && sunk.insert(def))
      llvm::append_range(worklist, def->getOperands());
  };
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  for (Value value : captured)
    visit(value);
  while (!worklist.empty())
    visit(worklist.pop_back_val());

  SmallVector<Operation *> ordered(sunk.begin(), sunk.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  IRMapping mapping;
  for (Operation *op : ordered)
    rewriter.clone(*op, mapping);
  for (Operation *op : ordered)
    for (auto [original, clone] : llvm::zip_equal(op->getResults(), mapping.lookup(op)->getResults()))
      rewriter.replaceUsesWithIf(original, clone, [&](OpOperand &use) {
        return launch.getBody().isAncestor(use.getOwner()->getParentRegion());
      });
}

} // namespace fuselage
