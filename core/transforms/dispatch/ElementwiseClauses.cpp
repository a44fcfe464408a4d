#include "core/transforms/dispatch/ElementwiseClauses.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;
using Answer = std::optional<Refusal>;

/// The other users that are told.
static constexpr size_t kMaxUsers = 8;

/// An edge between two linalg ops; the clauses after the first are about these.
namespace {
struct LinalgEdge : FusionEdge {
  explicit LinalgEdge(const FusionEdge &edge)
      : FusionEdge(edge), from(dyn_cast<linalg::LinalgOp>(edge.producer())),
        to(edge.isCaptured() ? linalg::LinalgOp() : dyn_cast<linalg::LinalgOp>(edge.consumer)) {}
  AffineMap producerMap() const {
    if (!written_)
      written_ = from.getIndexingMapMatchingResult(value);
    return written_;
  }
  AffineMap consumerMap() const {
    if (!read_)
      read_ = to.getMatchingIndexingMap(use);
    return read_;
  }
  mutable linalg::LinalgOp from, to; // null if the op is none

private:
  mutable AffineMap written_, read_; // named ops make theirs anew each time
};
} // namespace

bool isAllParallelLinalg(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumParallelLoops() == linalgOp.getNumLoops();
}

int findZero(AffineMap map) {
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    if (auto constant = dyn_cast<AffineConstantExpr>(expr); constant && constant.getValue() == 0)
      return index;
  return -1;
}

int findUnprojected(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr); constant && constant.getValue() == 0)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return index;
    seen.set(dim.getPosition());
  }
  return -1;
}

bool readsRepeatedly(const FusionEdge &edge) {
  LinalgEdge linalgEdge(edge);
  if (!linalgEdge.to)
    return false;
  AffineMap map = linalgEdge.consumerMap();
  SmallVector<int64_t> sizes = linalgEdge.to.getStaticLoopRanges();
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    if (!map.isFunctionOfDim(loop) && sizes[loop] != 1)
      return true;
  return false;
}

bool hasOtherUses(const FusionEdge &edge, SmallVectorImpl<Operation *> *others) {
  bool found = false;
  for (OpOperand &use : edge.producer()->getUses()) {
    if (&use == edge.use || findSizeSource(use.getOwner()))
      continue;
    found = true;
    if (!others)
      return true;
    if (!llvm::is_contained(*others, use.getOwner()))
      others->push_back(use.getOwner());
    if (others->size() == kMaxUsers)
      return true;
  }
  return found;
}

//===-- The clauses of areElementwiseOpsFusable -----------------------------===//

static Answer notGeneric(const LinalgEdge &edge) {
  if (!isa<linalg::GenericOp>(edge.producer()))
    return Refusal{.reason = NotGeneric, .evidence = {.culprit = edge.producer()}};
  if (!isa<linalg::GenericOp>(edge.use->getOwner()))
    return Refusal{.reason = NotGeneric, .evidence = {.culprit = edge.use->getOwner()}};
  return std::nullopt;
}

static Answer notPureTensor(const LinalgEdge &edge) {
  if (edge.from.hasPureTensorSemantics() && isa<RankedTensorType>(edge.value.getType()))
    return std::nullopt;
  return Refusal{.reason = NotPureTensor, .evidence = {.culprit = edge.producer()}};
}

static Answer producerReduction(const LinalgEdge &edge) {
  if (isAllParallelLinalg(edge.producer()))
    return std::nullopt;
  return Refusal{.reason = ProducerReduction, .evidence = {.producerMap = edge.producerMap()}};
}

static Answer operandIsInit(const LinalgEdge &edge) {
  if (edge.to.isDpsInput(edge.use))
    return std::nullopt;
  return Refusal{.reason = OperandIsInit, .evidence = {.culprit = edge.consumer}};
}

static Answer rankMismatch(const LinalgEdge &edge) {
  if (edge.consumerMap().getNumResults() == edge.from.getNumLoops())
    return std::nullopt;
  return Refusal{.reason = RankMismatch,
                 .evidence = {.producerMap = edge.producerMap(), .consumerMap = edge.consumerMap()}};
}

static Answer producerMapNotPermutation(const LinalgEdge &edge) {
  AffineMap map = edge.producerMap();
  if (map.isPermutation())
    return std::nullopt;
  int clash = findUnprojected(map);
  return Refusal{.reason = ProducerMapNotPermutation,
                 .evidence = {.producerMap = map, .clash = clash < 0 ? findZero(map) : clash}};
}

/// The fused op has to have, for each loop of a reducing consumer, an operand that it indexes by itself.
static Answer loopBoundLost(const LinalgEdge &edge) {
  if (edge.to.getNumReductionLoops() == 0)
    return std::nullopt;
  AffineMap written = edge.producerMap(), read = edge.consumerMap();
  if (!written.isPermutation() || written.getNumResults() != read.getNumResults())
    return std::nullopt;
  llvm::SmallBitVector covered(edge.to.getNumLoops());
  auto cover = [&](AffineMap map) {
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        covered.set(dim.getPosition());
  };
  for (auto [operand, map] : llvm::zip_equal(edge.to->getOperands(), edge.to.getIndexingMapsArray()))
    if (operand != edge.use->get())
      cover(map);
  AffineMap toProducer = inversePermutation(written).compose(read);
  SmallVector<AffineMap> maps = edge.from.getIndexingMapsArray();
  for (OpOperand *operand : edge.from.getDpsInputOperands())
    cover(maps[operand->getOperandNumber()].compose(toProducer));
  if (covered.all())
    return std::nullopt;
  covered.flip();
  int loop = covered.find_first();
  std::optional<unsigned> position = read.getResultPosition(getAffineDimExpr(loop, read.getContext()));
  return Refusal{.reason = LoopBoundLost,
                 .evidence = {.consumerMap = read, .clash = position ? static_cast<int>(*position) : -1}};
}

Refusals elementwiseRefusals(const FusionEdge &edge) {
  LinalgEdge linalgEdge(edge);
  Refusals refusals;
  if (Answer answer = notGeneric(linalgEdge))
    refusals.push_back(*answer);
  if (!linalgEdge.from || !linalgEdge.to)
    return refusals;
  for (auto *clause :
       {notPureTensor, producerReduction, operandIsInit, rankMismatch, producerMapNotPermutation, loopBoundLost})
    if (Answer answer = clause(linalgEdge))
      refusals.push_back(*answer);
  return refusals;
}

//===-- What policies add ------------------------------------------------------===//

/// Copies, transposes, broadcasts, and ops that only look at indices: nothing is computed twice.
static bool computesNothing(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  return body.front().hasTrait<OpTrait::IsTerminator>() ||
         llvm::all_of(body.getArguments(), [](BlockArgument argument) { return argument.use_empty(); });
}

static bool isMask(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) { return getElementTypeOrSelf(type).isInteger(1); });
}

/// All maps of the consumer count: MLIR's transformations bail out on the whole op.
static Answer unprojectedMap(const LinalgEdge &edge, const FusionPolicy &policy) {
  if (policy.lookThroughZeros)
    return std::nullopt;
  Answer answer;
  for (OpOperand &operand : edge.consumer->getOpOperands()) {
    AffineMap map = edge.to.getMatchingIndexingMap(&operand);
    if (map.isProjectedPermutation())
      continue;
    int clash = findUnprojected(map);
    answer = clash < 0
                 ? Refusal{.reason = UnitDimBroadcast, .evidence = {.consumerMap = map, .clash = findZero(map)}}
                 : Refusal{.reason = MapNotProjectedPermutation, .evidence = {.consumerMap = map, .clash = clash}};
    if (&operand == edge.use)
      break;
  }
  return answer;
}

static Answer multiUse(const LinalgEdge &edge, const FusionPolicy &policy) {
  Refusal refusal{.reason = MultiUse};
  if (policy.fuseMultiUse || !hasOtherUses(edge, &refusal.evidence.users))
    return std::nullopt;
  return refusal;
}

static Answer broadcastConsumer(const LinalgEdge &edge, const FusionPolicy &policy) {
  if (policy.elementwiseBroadcasts || !isAllParallelLinalg(edge.consumer) || !readsRepeatedly(edge))
    return std::nullopt;
  return Refusal{.reason = BroadcastConsumer, .evidence = {.consumerMap = edge.consumerMap()}};
}

static Answer reductionOperand(const LinalgEdge &edge, const FusionPolicy &policy) {
  if (policy.elementwiseReductions || isAllParallelLinalg(edge.consumer) || edge.consumerMap().isPermutation())
    return std::nullopt;
  return Refusal{.reason = ReductionOperandNotPermutation, .evidence = {.consumerMap = edge.consumerMap()}};
}

static Answer consumerContraction(const LinalgEdge &edge, const FusionPolicy &policy) {
  if (policy.fuseContractionOperands || !linalg::isaContractionOpInterface(edge.to))
    return std::nullopt;
  return Refusal{.reason = ConsumerContraction, .evidence = {.culprit = edge.consumer}};
}

Refusals elementwisePolicyRefusals(const FusionEdge &edge, const FusionPolicy &policy) {
  LinalgEdge linalgEdge(edge);
  Refusals refusals;
  if (!linalgEdge.from || !linalgEdge.to || isMask(edge.producer()))
    return refusals;
  auto ask = [&](Answer (*clause)(const LinalgEdge &, const FusionPolicy &)) {
    if (Answer answer = clause(linalgEdge, policy))
      refusals.push_back(*answer);
  };
  ask(unprojectedMap);
  ask(consumerContraction);
  if (computesNothing(linalgEdge.from))
    return refusals;
  ask(multiUse);
  ask(broadcastConsumer);
  ask(reductionOperand);
  return refusals;
}

} // namespace fuselage
