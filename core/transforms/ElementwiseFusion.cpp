#include "core/transforms/ElementwiseFusion.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

std::string whyNotMerged(OpOperand &operand, unsigned maxOperands) {
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  if (!consumer.isDpsInput(&operand))
    return "it is the consumer's destination";
  if (producer->getBlock() != consumer->getBlock())
    return "its consumer is in another block";
  AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
  if (!written.isPermutation())
    return "it is not written by a permutation of its loops; run fuselage-fold-unit-dims first";
  AffineMap toLoops =
      inversePermutation(written).compose(consumer.getMatchingIndexingMap(&operand));
  // What the merged op reads: the other operands of the consumer, and the producer's.
  llvm::SmallSetVector<std::pair<Value, AffineMap>, 8> reads;
  SmallVector<AffineMap> maps;
  for (OpOperand &other : consumer->getOpOperands()) {
    if (&other == &operand)
      continue;
    maps.push_back(consumer.getMatchingIndexingMap(&other));
    reads.insert({other.get(), maps.back()});
  }
  for (OpOperand *input : producer.getDpsInputOperands()) {
    maps.push_back(producer.getMatchingIndexingMap(input).compose(toLoops));
    reads.insert({input->get(), maps.back()});
  }
  if (!coverLoops(maps))
    return "a loop of its consumer would lose its bounds";
  if (reads.size() > maxOperands)
    return "the merged op would have " + std::to_string(reads.size()) + " operands, " +
           std::to_string(maxOperands) + " are allowed";
  return {};
}

FailureOr<linalg::GenericOp> mergeProducer(RewriterBase &rewriter, OpOperand &operand,
                                           bool shareResults) {
  unsigned number = operand.getOperandNumber();
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  unsigned result = cast<OpResult>(operand.get()).getResultNumber();
  FailureOr<linalg::GenericOp> genericProducer = toGeneric(rewriter, producer);
  FailureOr<linalg::GenericOp> genericConsumer = toGeneric(rewriter, consumer);
  if (failed(genericProducer) || failed(genericConsumer))
    return failure();
  OpOperand &fused = (*genericConsumer)->getOpOperand(number);
  if (fused.get() != (*genericProducer)->getResult(result) ||
      !linalg::areElementwiseOpsFusable(&fused))
    return failure();
  rewriter.setInsertionPoint(*genericConsumer);
  FailureOr<linalg::ElementwiseOpFusionResult> merged = linalg::fuseElementwiseOps(rewriter, &fused);
  if (failed(merged))
    return failure();
  for (OpResult old : (*genericConsumer)->getResults())
    rewriter.replaceAllUsesWith(old, merged->replacements.lookup(old));
  rewriter.eraseOp(*genericConsumer);
  if (shareResults)
    for (OpResult old : (*genericProducer)->getResults())
      if (Value shared = merged->replacements.lookup(old))
        rewriter.replaceAllUsesWith(old, shared);
  eraseDead(rewriter, {*genericProducer});
  auto generic = cast<linalg::GenericOp>(merged->fusedOp);
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::GenericOp> tidy =
      linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, generic, /*removeOutputs=*/true);
  return succeeded(tidy) ? tidy : FailureOr(generic);
}

} // namespace fuselage
