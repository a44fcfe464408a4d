#include "core/codegen/host/tensors/HostReductions.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/ChooseSplit.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

/// Returns how many parallel iterations read the same element of an operand with indexing map `map`; 0: unknown.
static int64_t reuseOf(linalg::GenericOp op, AffineMap map) {
  int64_t times = 1;
  for (auto [loop, range] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel || map.isFunctionOfDim(loop))
      continue;
    if (ShapedType::isDynamic(range))
      return 0;
    times *= range;
  }
  return times;
}

void fuseInputsReadOnce(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *use) {
    auto reader = llvm::dyn_cast<linalg::GenericOp>(use->getOwner());
    Operation *producer = use->get().getDefiningOp();
    return reader && producer && producer->hasOneUse() && isDequantization(producer) &&
           reuseOf(reader, reader.getMatchingIndexingMap(use)) == 1;
  });
  (void)applyPatternsGreedily(module, std::move(patterns));
}

/// Returns true if `result` is computed from its old value and inputs, but from no other result.
static bool isIndependent(linalg::GenericOp op, unsigned result) {
  SmallVector<Value> waiting = {op.getBody()->getTerminator()->getOperand(result)};
  llvm::DenseSet<Value> seen;
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    unsigned inputs = op.getNumDpsInputs();
    if (argument && argument.getOwner() == op.getBody() && argument.getArgNumber() >= inputs &&
        argument.getArgNumber() != inputs + result)
      return false;
    if (Operation *definition = argument ? nullptr : value.getDefiningOp();
        definition && definition->getBlock() == op.getBody()) {
      if (definition->getNumRegions() != 0)
        return false;
      llvm::append_range(waiting, definition->getOperands());
    }
  }
  return true;
}

static bool shouldSeparate(linalg::GenericOp op) {
  constexpr int64_t often = 8;
  if (op.getNumResults() < 2 || op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (reuseOf(op, op.getMatchingIndexingMap(input)) < often)
      return false;
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    if (!isIndependent(op, result))
      return false;
  return true;
}

void separateResults(ModuleOp module) {
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) {
    if (shouldSeparate(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  for (linalg::GenericOp op : ops) {
    OpBuilder builder(op);
    for (unsigned result = 1; result < op.getNumResults(); ++result)
      op.getResult(result).replaceAllUsesWith(builder.clone(*op)->getResult(result));
  }
  // Of each copy one result is used; the others go, with what only they need.
  RewritePatternSet patterns(module.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyPatternsGreedily(module, std::move(patterns));
}

void splitLongReductions(ModuleOp module, unsigned threads) {
  std::vector<std::pair<linalg::LinalgOp, ReductionSplit>> splits;
  module.walk([&](linalg::LinalgOp op) {
    bool isAlone = llvm::isa<func::FuncOp>(op->getParentOp());
    if (!isAlone || !readTilingConfig(op).host.empty())
      return;
    if (std::optional<ReductionSplit> split = chooseRuns(op, threads))
      splits.push_back({op, *split});
  });
  IRRewriter rewriter(module.getContext());
  for (auto [op, split] : splits)
    (void)applySplit(rewriter, op, split); // one that cannot be split stays with one thread
}

} // namespace fuselage
