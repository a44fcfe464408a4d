#include "core/transforms/unlock/ElementwiseFusion.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

bool isCheapToRepeat(linalg::LinalgOp op, unsigned maxOperations) {
  unsigned operations = 0;
  for (Operation &payload : op.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect>(payload.getDialect()) ||
        isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp>(payload))
      return false;
    ++operations;
  }
  return operations <= maxOperations;
}

/// Operations of the payload, those of nested regions among them.
static unsigned countOperations(linalg::LinalgOp op) {
  unsigned count = 0;
  op.getBlock()->walk([&](Operation *) { ++count; });
  return count - 1; // without the yield
}

/// The map from the consumer's loops to those of the producer; what it writes must be a permutation.
static AffineMap loopsOfProducer(OpOperand &read) {
  auto producer = read.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = cast<linalg::LinalgOp>(read.getOwner());
  AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(read.get()));
  return inversePermutation(written).compose(consumer.getMatchingIndexingMap(&read));
}

/// The different ways in which the consumer reads the producer, as maps to its loops.
static llvm::SmallSetVector<AffineMap, 2> waysOfReading(linalg::LinalgOp consumer, Operation *producer) {
  llvm::SmallSetVector<AffineMap, 2> ways;
  for (OpOperand *input : consumer.getDpsInputOperands())
    if (input->get().getDefiningOp() == producer)
      ways.insert(loopsOfProducer(*input));
  return ways;
}

/// Whether the consumer has a loop of several iterations that the producer does not have.
static bool hasMoreIterations(linalg::LinalgOp consumer, AffineMap toLoops) {
  SmallVector<int64_t> extents = staticLoopRanges(consumer);
  for (unsigned loop = 0; loop < toLoops.getNumDims(); ++loop)
    if (!toLoops.isFunctionOfDim(loop) && extents[loop] != 1)
      return true;
  return false;
}

//===-- What is worth to be computed again ---------------------------------------------------===//

/// Functions and divisions that a payload of plain arithmetic computes; nullopt: it does other things as well,
/// such as reading from memory.
static std::optional<int64_t> countFunctions(linalg::LinalgOp op) {
  int64_t functions = 0;
  for (Operation &payload : op.getBlock()->without_terminator()) {
    if (!isa<arith::ArithDialect, math::MathDialect>(payload.getDialect()) && !isa<linalg::IndexOp>(payload))
      return std::nullopt;
    functions +=
        isa<math::MathDialect>(payload.getDialect()) ||
        isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(payload);
  }
  return functions;
}

/// Products that make one element of what the op, or an elementwise op before it, reads of a contraction or
/// convolution; 0: it follows none.
static int64_t productsBehind(linalg::LinalgOp op, unsigned depth = 0) {
  constexpr unsigned maxDepth = 4; // elementwise ops merge one after the other: there are few
  int64_t most = 0;
  for (Value operand : op->getOperands()) {
    auto producer = operand.getDefiningOp<linalg::LinalgOp>();
    if (!producer)
      continue;
    DispatchKind kind = kindOf(producer);
    if (kind == DispatchKind::Elementwise && depth < maxDepth && producer->hasOneUse())
      most = std::max(most, productsBehind(producer, depth + 1));
    if (kind != DispatchKind::Contraction && kind != DispatchKind::Convolution)
      continue;
    int64_t products = 1;
    for (auto [size, iterator] : llvm::zip_equal(staticLoopRanges(producer), producer.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction && !ShapedType::isDynamic(size))
        products *= size;
    most = std::max(most, products);
  }
  return most;
}

/// Whether computing the producer again in each iteration of a consumer that has more costs less than the dispatch
/// that it would be: the scale of a normalization from a variance per channel, say. A reduction's results share the
/// dispatch of what reads them anyhow.
static bool isWorthRepeating(linalg::LinalgOp producer, linalg::LinalgOp consumer) {
  constexpr int64_t productsPerFunction = 4, maxFunctions = 1 << 20; // those take a GPU some 1 us, a launch 4
  std::optional<int64_t> functions = countFunctions(producer);
  if (!functions || consumer.getNumReductionLoops() > 0 || llvm::any_of(producer->getOperands(), [](Value operand) {
        Operation *source = operand.getDefiningOp();
        return source && isComputeOp(source) && isRootKind(kindOf(source));
      }))
    return false;
  if (productsBehind(consumer) >= *functions * productsPerFunction)
    return true;
  int64_t computed = *functions;
  for (int64_t extent : staticLoopRanges(consumer))
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(computed, extent, computed))
      return false;
  return computed <= maxFunctions;
}

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
  for (OpResult result : producer->getResults())
    if (!producer.getIndexingMapMatchingResult(result).isPermutation())
      return "it is not written by a permutation of its loops; run fuselage-fold-unit-dims first";
  llvm::SmallSetVector<AffineMap, 2> ways = waysOfReading(consumer, producer);
  // What the merged op reads: the other operands of the consumer, and the producer's.
  llvm::SmallSetVector<std::pair<Value, AffineMap>, 8> reads;
  SmallVector<AffineMap> maps;
  for (OpOperand &other : consumer->getOpOperands()) {
    if (other.get().getDefiningOp() == producer && consumer.isDpsInput(&other))
      continue;
    maps.push_back(consumer.getMatchingIndexingMap(&other));
    reads.insert({other.get(), maps.back()});
  }
  for (AffineMap toLoops : ways)
    for (OpOperand *input : producer.getDpsInputOperands()) {
      maps.push_back(producer.getMatchingIndexingMap(input).compose(toLoops));
      reads.insert({input->get(), maps.back()});
    }
  if (!coverLoops(maps))
    return "a loop of its consumer would lose its bounds";
  if (reads.size() > maxOperands)
    return "the merged op would have " + std::to_string(reads.size()) + " operands, " + std::to_string(maxOperands) +
           " are allowed";
  if (ways.size() > 1 && !isCheapToRepeat(producer))
    return "its consumer reads it in " + std::to_string(ways.size()) + " ways, and would compute it once for each";
  if (!isCheapToRepeat(producer) && !isWorthRepeating(producer, consumer) &&
      llvm::any_of(ways, [&](AffineMap toLoops) { return hasMoreIterations(consumer, toLoops); }))
    return "its consumer has more iterations, and would compute it again in each";
  size_t operations = countOperations(consumer) + ways.size() * size_t(countOperations(producer));
  if (operations > kMaxMergedOperations)
    return "the merged op would compute " + std::to_string(operations) + " operations for each element, " +
           std::to_string(kMaxMergedOperations) + " are allowed";
  return {};
}

std::string whyNotShared(OpOperand &operand) {
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  for (AffineMap toLoops : waysOfReading(consumer, operand.get().getDefiningOp()))
    if (!toLoops.isPermutation())
      return "a consumer with other loops would compute and write each element several times";
  return {};
}

/// Merges through one operand. Both ops are generic.
static FailureOr<linalg::GenericOp> mergeOperand(RewriterBase &rewriter, OpOperand &operand, bool shareResults) {
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  if (!linalg::areElementwiseOpsFusable(&operand))
    return failure();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> merged = linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(merged))
    return failure();
  for (OpResult old : consumer->getResults())
    rewriter.replaceAllUsesWith(old, merged->replacements.lookup(old));
  rewriter.eraseOp(consumer);
  if (shareResults)
    for (OpResult old : producer->getResults())
      if (Value shared = merged->replacements.lookup(old))
        rewriter.replaceUsesWithIf(old, shared, [&](OpOperand &use) { return use.getOwner() != merged->fusedOp; });
  auto generic = cast<linalg::GenericOp>(merged->fusedOp);
  // A move leaves nothing else after that tells where it went.
  if (findMovedInput(producer))
    generic->setLoc(rewriter.getFusedLoc({generic.getLoc(), producer.getLoc()}));
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::GenericOp> tidy =
      linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, generic, /*removeOutputs=*/true);
  return succeeded(tidy) ? tidy : FailureOr(generic);
}

FailureOr<linalg::GenericOp> mergeProducer(RewriterBase &rewriter, OpOperand &operand, bool shareResults) {
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  FailureOr<linalg::GenericOp> genericProducer = toGeneric(rewriter, producer);
  FailureOr<linalg::GenericOp> merged = toGeneric(rewriter, consumer);
  if (failed(genericProducer) || failed(merged))
    return failure();
  // Of a value that is read twice in the same way, the payload would be computed twice.
  rewriter.setInsertionPoint(*merged);
  if (FailureOr<linalg::GenericOp> tidy =
          linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, *merged, /*removeOutputs=*/false);
      succeeded(tidy))
    merged = tidy;
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
