#include "core/codegen/host/kernels/HostKernels.h"
#include "core/codegen/host/kernels/LoopAllocations.h"
#include "core/codegen/host/kernels/LoopEmitter.h"
#include "core/codegen/host/kernels/LoopJoin.h"
#include "core/codegen/host/kernels/LoopTasks.h"
#include "core/codegen/host/kernels/WindowPacking.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral kPrefix = "fuselage.kernel.";

bool isHostKernel(StringRef function) { return function.starts_with(kPrefix); }

/// The fill of fresh memory that `op` is the next to use, if `op` goes over all of it.
static linalg::FillOp fillBefore(linalg::LinalgOp op, OpOperand &output) {
  auto alloc = output.get().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != op->getBlock() || !op.getMatchingIndexingMap(&output).isProjectedPermutation())
    return {};
  linalg::FillOp fill;
  for (OpOperand &use : alloc->getUses()) {
    Operation *user = alloc->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user == op && use.getOwner() == op.getOperation() && &use == &output)
      continue;
    if (op->isBeforeInBlock(user))
      continue;
    auto filled = llvm::dyn_cast<linalg::FillOp>(user);
    if (!filled || fill || filled.getOutputs()[0] != alloc.getResult())
      return {};
    fill = filled;
  }
  return fill;
}

/// Sums start from a fill's constant; nothing needs to be written for that.
static void startFromFills(linalg::LinalgOp op, LoopKernel &kernel) {
  for (auto [output, start] : llvm::zip_equal(op.getDpsInitsMutable(), kernel.starts)) {
    linalg::FillOp fill = fillBefore(op, output);
    TypedAttr constant;
    if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&constant)) ||
        constant.getType() != getElementTypeOrSelf(output.get().getType()))
      continue;
    start = constant;
    fill.erase();
  }
}

/// exp and its like of f32, on vectors.
static void approximateMath(func::FuncOp tasks) {
  RewritePatternSet patterns(tasks.getContext());
  populateMathPolynomialApproximationPatterns(patterns);
  (void)applyPatternsGreedily(tasks, std::move(patterns));
}

/// Puts the call of the kernel at the builder's place. What is one task among others already is done in one go.
static void callKernel(OpBuilder &builder, const LoopKernel &kernel, const LoopPlan &plan, ModuleOp module,
                       HostKernels &made) {
  TaskFunction loops = emitLoops(kernel, plan, module, (kPrefix + llvm::Twine(made.kernels++)).str());
  if (plan.lanes > 1)
    approximateMath(loops.tasks);
  Operation *around = builder.getInsertionBlock()->getParentOp();
  auto function = llvm::dyn_cast<func::FuncOp>(around);
  if (!function)
    function = around->getParentOfType<func::FuncOp>();
  bool isPart = isHostKernel(function.getName()) || llvm::isa<scf::ForallOp, scf::ParallelOp>(around) ||
                around->getParentOfType<scf::ForallOp>() || around->getParentOfType<scf::ParallelOp>();
  if (!isPart) {
    func::CallOp::create(builder, kernel.loc, loops.all, loops.arguments);
    made.calls.push_back({.tasks = loops.tasks.getName().str(),
                          .all = loops.all.getName().str(),
                          .count = plan.tasks,
                          .portion = plan.portion});
    return;
  }
  loops.all.erase();
  SmallVector<Value> arguments = {arith::ConstantIndexOp::create(builder, kernel.loc, 0),
                                  arith::ConstantIndexOp::create(builder, kernel.loc, plan.tasks)};
  llvm::append_range(arguments, loops.arguments);
  func::CallOp::create(builder, kernel.loc, loops.tasks, arguments);
}

/// Joins loops, unless there is no order for what is left: without loops of one element a sum may have nothing to be in
/// vectors along.
static void joinWherePlanned(OpBuilder &builder, LoopKernel &kernel, const HostTarget &target) {
  LoopKernel joined = kernel;
  joinLoops(builder, joined);
  if (planLoops(joined, target))
    kernel = std::move(joined);
}

/// True if the op became a kernel.
static bool makeKernel(linalg::LinalgOp op, ModuleOp module, const HostTarget &target, HostKernels &made) {
  auto kernel = readLoopKernel(op);
  if (!kernel || !planLoops(*kernel, target))
    return false;
  OpBuilder builder(op);
  startFromFills(op, *kernel);
  SmallVector<Value> copies;
  auto copyFirst = [&](unsigned input, PackedOperand packed) {
    joinWherePlanned(builder, packed.copy, target);
    callKernel(builder, packed.copy, *planLoops(packed.copy, target), module, made);
    packed.pattern->erase();
    kernel->operands[input] = packed.memory;
    kernel->maps[input] = packed.map;
    kernel->packedWidth = std::max(kernel->packedWidth, packed.copy.packedWidth);
    copies.push_back(packed.allocated);
  };
  joinWherePlanned(builder, *kernel, target);
  if (auto input = windowsToPack(*kernel, target)) {
    copyFirst(*input, packWindows(builder, *kernel, *input));
    joinWherePlanned(builder, *kernel, target);
  }
  auto plan = planLoops(*kernel, target);
  for (unsigned input : plan->toPack)
    copyFirst(input, packOperand(builder, *kernel, *plan, input));
  for (unsigned input : plan->toPad)
    copyFirst(input, padOperand(builder, *kernel, input));
  if (!kernel->requested.empty())
    if (auto tile = requestedTileOf(op, *kernel, *plan))
      made.requested.push_back(std::move(*tile));
  callKernel(builder, *kernel, *plan, module, made);
  for (Value copy : copies)
    memref::DeallocOp::create(builder, op.getLoc(), copy);
  op.erase();
  return true;
}

/// Loops that run beside each other, the outermost ones, become tasks.
static void outlineLoops(ModuleOp module, unsigned threads, HostKernels &made) {
  SmallVector<Operation *> loops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!llvm::isa<scf::ForallOp, scf::ParallelOp>(op))
      return WalkResult::advance();
    loops.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : loops)
    if (auto call = outlineParallelLoop(op, module, (kPrefix + llvm::Twine(made.kernels)).str(), threads)) {
      made.calls.push_back(*call);
      ++made.kernels;
    }
}

/// Outside of passes nobody loads what is made.
static void loadDialects(MLIRContext *context) {
  context->loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                       memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
}

HostKernels runLoopsOnThreads(ModuleOp module, unsigned threads) {
  loadDialects(module.getContext());
  HostKernels made;
  outlineLoops(module, threads, made);
  shareAllocations(module);
  return made;
}

HostKernels makeHostKernels(ModuleOp module, const HostTarget &target) {
  loadDialects(module.getContext());
  HostKernels made;
  outlineLoops(module, target.threads, made);
  // A fill may go with the op after it, so it comes last.
  for (bool fills : {false, true}) {
    SmallVector<linalg::LinalgOp> ops;
    module.walk([&](linalg::LinalgOp op) {
      if (llvm::isa<linalg::FillOp>(op) == fills)
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      made.plain += op.getNumLoops() != 0 && !makeKernel(op, module, target, made);
  }
  shareAllocations(module);
  return made;
}

} // namespace fuselage
