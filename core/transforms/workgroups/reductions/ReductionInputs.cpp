#include "core/transforms/workgroups/reductions/ReductionInputs.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Returns true if `op` is elementwise and has one result with an element for each iteration, whose old value it does
/// not read.
bool writesEachOnce(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         !isa<linalg::FillOp>(op) && op.getIndexingMapsArray().back().isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// Returns the producer of `input` if the op that reads it can compute it; else null.
linalg::LinalgOp fusableProducer(OpOperand *input) {
  auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
  bool isHere = producer && producer->getBlock() == input->getOwner()->getBlock();
  return isHere && writesEachOnce(producer) ? producer : linalg::LinalgOp();
}

FailureOr<linalg::GenericOp> asGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  rewriter.setInsertionPoint(op);
  return linalg::generalizeNamedOp(rewriter, op);
}

/// Fuses the producer of `input` into the op that reads it. Other users keep it.
FailureOr<linalg::GenericOp> fuseProducer(RewriterBase &rewriter, OpOperand *input) {
  auto reader = cast<linalg::GenericOp>(input->getOwner());
  linalg::LinalgOp producer = fusableProducer(input);
  rewriter.setInsertionPoint(reader);
  auto copy = cast<linalg::LinalgOp>(rewriter.clone(*producer));
  FailureOr<linalg::GenericOp> made = asGeneric(rewriter, copy);
  if (failed(made))
    return rewriter.eraseOp(copy), failure();
  rewriter.modifyOpInPlace(reader, [&] { input->set(made->getResult(0)); });
  rewriter.setInsertionPoint(reader);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = failure();
  if (linalg::areElementwiseOpsFusable(input))
    fused = linalg::fuseElementwiseOps(rewriter, input);
  if (failed(fused)) {
    rewriter.modifyOpInPlace(reader, [&] { input->set(producer->getResult(0)); });
    rewriter.eraseOp(*made);
    return failure();
  }
  for (OpResult old : reader->getResults())
    rewriter.replaceAllUsesWith(old, fused->replacements.lookup(old));
  rewriter.eraseOp(reader);
  if ((*made)->use_empty())
    rewriter.eraseOp(*made);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

/// Fuses the elementwise producers of `op` whose operand is `isWanted`, as long as `op` has at most 12 inputs.
linalg::GenericOp fuseProducers(RewriterBase &rewriter, linalg::GenericOp op,
                                llvm::function_ref<bool(OpOperand *)> isWanted) {
  constexpr int64_t mostInputs = 12;
  for (bool hasFused = true; hasFused && op.getNumDpsInputs() < mostInputs;) {
    hasFused = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!fusableProducer(input) || !isWanted(input))
        continue;
      FailureOr<linalg::GenericOp> fused = fuseProducer(rewriter, input);
      if (failed(fused))
        continue;
      op = *fused;
      hasFused = true;
      break;
    }
  }
  return op;
}

/// Returns true if `input` depends on a reduction loop of its op.
bool isReduced(OpOperand *input) {
  auto op = cast<linalg::LinalgOp>(input->getOwner());
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::any_of(reductions,
                      [&](unsigned loop) { return op.getMatchingIndexingMap(input).isFunctionOfDim(loop); });
}

/// Returns true if `value` comes from outside of `body` or from reductions in it, possibly through elementwise ops.
bool isExternal(Value value, Block *body) {
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer->getBlock() != body)
    return true;
  if (producer.getNumReductionLoops() > 0)
    return workKindOf(cast<TilingInterface>(producer.getOperation())) == WorkKind::Reduction;
  return writesEachOnce(producer) &&
         llvm::all_of(producer.getDpsInputs(), [&](Value input) { return isExternal(input, body); });
}

} // namespace

bool hasExternalInputs(linalg::LinalgOp reduction) {
  return llvm::all_of(reduction.getDpsInputs(), [&](Value input) { return isExternal(input, reduction->getBlock()); });
}

bool reducesComputedInput(linalg::LinalgOp reduction) {
  return llvm::any_of(reduction.getDpsInputOperands(), [&](OpOperand *input) {
    TilingInterface producer = asTileable(input->get().getDefiningOp());
    return isReduced(input) && producer && producer->getBlock() == reduction->getBlock();
  });
}

FailureOr<linalg::GenericOp> fuseInputs(RewriterBase &rewriter, linalg::LinalgOp reduction) {
  FailureOr<linalg::GenericOp> generic = collapseReductions(rewriter, reduction);
  return failed(generic) ? generic : fuseProducers(rewriter, *generic, isReduced);
}

void fuseElementwiseChains(RewriterBase &rewriter, Block &body) {
  auto isChain = [](OpOperand *input) {
    auto reader = cast<linalg::LinalgOp>(input->getOwner());
    return fusableProducer(input) && input->get().hasOneUse() && reader.getMatchingIndexingMap(input).isPermutation();
  };
  auto fuseOne = [&] {
    for (auto op : llvm::make_early_inc_range(body.getOps<linalg::LinalgOp>())) {
      if (!writesEachOnce(op) || llvm::none_of(op.getDpsInputOperands(), isChain))
        continue;
      FailureOr<linalg::GenericOp> made = asGeneric(rewriter, op);
      if (succeeded(made) && fuseProducers(rewriter, *made, isChain) != *made)
        return true;
    }
    return false;
  };
  while (fuseOne()) {
  }
}

} // namespace fuselage
