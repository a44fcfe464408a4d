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
  // The merged op would read what it has just written.
  for (OpOperand &init : producer.getDpsInitsMutable())
    if (producer.payloadUsesValueFromOperand(&init))
      return "its payload reads what its destination held before";
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

/// Merges through one operand. Both ops are generic.
static FailureOr<linalg::GenericOp> mergeOperand(RewriterBase &rewriter, OpOperand &operand,
                                                 bool shareResults) {
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  if (!linalg::areElementwiseOpsFusable(&operand))
    return failure();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> merged =
      linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(merged))
    return failure();
  for (OpResult old : consumer->getResults())
    rewriter.replaceAllUsesWith(old, merged->replacements.lookup(old));
  rewriter.eraseOp(consumer);
  if (shareResults)
    for (OpResult old : producer->getResults())
      if (Value shared = merged->replacements.lookup(old))
        rewriter.replaceUsesWithIf(old, shared, [&](OpOperand &use) {
          return use.getOwner() != merged->fusedOp;
        });
  auto generic = cast<linalg::GenericOp>(merged->fusedOp);
  // A move leaves nothing else behind that tells where it went.
  if (findMovedInput(producer))
    generic->setLoc(rewriter.getFusedLoc({generic.getLoc(), producer.getLoc()}));
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::GenericOp> tidy =
      linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, generic, /*removeOutputs=*/true);
  return succeeded(tidy) ? tidy : FailureOr(generic);
}

FailureOr<linalg::GenericOp> mergeProducer(RewriterBase &rewriter, OpOperand &operand,
                                           bool shareResults) {
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  FailureOr<linalg::GenericOp> genericProducer = toGeneric(rewriter, producer);
  FailureOr<linalg::GenericOp> merged = toGeneric(rewriter, consumer);
  if (failed(genericProducer) || failed(merged))
    return failure();
  auto findRead = [&]() -> OpOperand * {
    for (OpOperand *input : merged->getDpsInputOperands())
      if (input->get().getDefiningOp() == *genericProducer)
        return input;
    return nullptr;
  };
  while (OpOperand *read = findRead()) {
    merged = mergeOperand(rewriter, *read, shareResults);
    if (failed(merged))
      return failure();
  }
  eraseDead(rewriter, {*genericProducer});
  return merged;
}

} // namespace fuselage
