#include "core/transforms/dispatch/DispatchClauses.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "core/transforms/dispatch/TensorArithmetic.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;

//===-- Kinds of ops -----------------------------------------------------------===//

bool isRootOp(Operation *op, DispatchKind kind, const FusionPolicy &policy) {
  if (isRootKind(kind))
    return true;
  return policy.namedOpsAreRoots && isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp, linalg::FillOp>(op);
}

bool isRootOp(Operation *op, const FusionPolicy &policy) { return isRootOp(op, kindOf(op), policy); }

bool canFollow(Operation *consumer, DispatchKind kind, const FusionPolicy &policy) {
  if (policy.fusePacking &&
      (isa<linalg::PackOp>(consumer) || (isa<linalg::UnPackOp>(consumer) && isPerfectPacking(consumer))))
    return true;
  return kind == DispatchKind::Elementwise && !isRootOp(consumer, kind, policy);
}

bool canFollow(Operation *consumer, const FusionPolicy &policy) {
  return canFollow(consumer, kindOf(consumer), policy);
}

Refusals consumerKindRefusals(Operation *consumer, OpOperand *use, const FusionPolicy &policy) {
  Refusals refusals;
  if (canFollow(consumer, policy))
    return refusals;
  auto refuse = [&](FusionReason reason) { refusals.push_back({.reason = reason, .evidence = {.culprit = consumer}}); };
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  DispatchKind kind = kindOf(consumer);
  bool isInit = linalgOp && use && use->getOwner() == consumer && !linalgOp.isDpsInput(use);
  if (!isInit && kind == DispatchKind::Contraction)
    refuse(ConsumerContraction);
  else if (!isInit && kind == DispatchKind::Convolution)
    refuse(ProducerNotInit);
  else if (!isInit && linalgOp && linalgOp.getNumReductionLoops() > 0)
    refuse(ConsumerHasReduction);
  if (isRootOp(consumer, policy))
    refuse(ConsumerIsRoot);
  else if (!linalgOp)
    refuse(NotGeneric);
  if (!refusals.empty())
    return refusals;
  // All loops are parallel: the maps of its results are what is left.
  Refusal refusal{.reason = MapNotProjectedPermutation};
  for (OpOperand &init : linalgOp.getDpsInitsMutable())
    if (AffineMap map = linalgOp.getMatchingIndexingMap(&init); findUnprojected(map) >= 0)
      refusal.evidence = {.consumerMap = map, .clash = findUnprojected(map)};
  refusals.push_back(refusal);
  return refusals;
}

/// What stands in the way, where it has a name of its own.
static std::optional<FusionReason> obstacleKind(Operation *op) {
  if (isa<tensor::ExpandShapeOp>(op))
    return ReshapeExpand;
  if (isa<tensor::CollapseShapeOp>(op))
    return ReshapeCollapse;
  if (isa<tensor::ReshapeOp>(op))
    return ReshapeDynamic;
  if (isa<tensor::ExtractSliceOp>(op))
    return SliceExtract;
  if (isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(op))
    return SliceInsert;
  if (isa<tensor::ExtractOp>(op))
    return ElementExtract;
  if (isa<tensor::ConcatOp>(op))
    return ConcatTensors;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return ConstantData;
  if (isa<CallOpInterface>(op))
    return FunctionCall;
  if (isa<RegionBranchOpInterface, LoopLikeOpInterface>(op))
    return ControlFlow;
  return std::nullopt;
}

/// Why an op that is none of the obstacles above has no loops that a dispatch could share.
static FusionReason whyNoLoops(Operation *op) {
  if (isCollective(op))
    return isShardingAnnotation(op) ? ShardingBetween : CollectiveBetween;
  if (!op->isRegistered())
    return decode(op).role == OpRole::None ? UnknownOp : NonFusableOp;
  if (isTensorArithmetic(op))
    return ElementwiseOnTensors;
  // What makes, casts or hands on a tensor computes no elements.
  bool isStorage = isa<tensor::EmptyOp, tensor::CastOp, tensor::SplatOp, UnrealizedConversionCastOp>(op) ||
                   isa_and_nonnull<bufferization::BufferizationDialect>(op->getDialect());
  return isStorage || op->getNumResults() == 0 ? NonFusableOp : NotStructured;
}

std::optional<Refusal> nonFusableOp(const FusionEdge &edge) {
  // The consumer is the nearer obstacle: what follows it is another edge's matter.
  for (Operation *op : {edge.consumer, edge.producer()}) {
    if (isComputeOp(op))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && !linalgOp.hasPureTensorSemantics())
      return Refusal{.reason = NotPureTensor, .evidence = {.culprit = op}};
    std::optional<FusionReason> kind = obstacleKind(op);
    return Refusal{.reason = kind ? NonFusableOp : whyNoLoops(op), .kind = kind, .evidence = {.culprit = op}};
  }
  return std::nullopt;
}

Refusals copyRefusals(const FusionEdge &edge, const FusionPolicy &policy) {
  Refusals refusals;
  auto copy = dyn_cast<linalg::LinalgOp>(edge.producer());
  OpOperand *moved = copy ? findMovedInput(copy) : nullptr;
  if (!moved || policy.cloneCopies)
    return refusals;
  AffineMap map = copy.getMatchingIndexingMap(moved);
  if (!policy.lookThroughZeros && findZero(map) >= 0)
    refusals.push_back({.reason = UnitDimBroadcast, .evidence = {.consumerMap = map, .clash = findZero(map)}});
  FusionEdge into{.value = edge.value, .use = moved, .consumer = copy};
  if (!policy.elementwiseBroadcasts && readsRepeatedly(into))
    refusals.push_back({.reason = BroadcastConsumer, .evidence = {.consumerMap = map}});
  return refusals;
}

//===-- Users ----------------------------------------------------------------------===//

Operation *findDominatingUser(Operation *op) {
  DominanceInfo dominance;
  auto users = llvm::make_filter_range(op->getUsers(), [](Operation *user) { return !findSizeSource(user); });
  Operation *first = nullptr;
  for (Operation *user : users)
    if (!first || dominance.dominates(user, first))
      first = user;
  bool isFirst = first && llvm::all_of(users, [&](Operation *user) { return dominance.dominates(first, user); });
  return isFirst ? first : nullptr;
}

Refusals useRefusals(const FusionEdge &edge, const FusionPolicy &policy,
                     llvm::function_ref<Operation *(Operation *)> dominating) {
  Refusals refusals;
  if (policy.fuseMultiUse && !policy.needDominatingUse)
    return refusals;
  Refusal several{.reason = MultiUse};
  if (!hasOtherUses(edge, &several.evidence.users))
    return refusals;
  Operation *first = policy.needDominatingUse ? dominating(edge.producer()) : nullptr;
  if (!policy.fuseMultiUse || (first && first != edge.use->getOwner()))
    refusals.push_back(several);
  if (policy.needDominatingUse && !first) {
    several.reason = NoDominatingUse;
    refusals.push_back(several);
  }
  return refusals;
}

//===-- Loops ----------------------------------------------------------------------===//

std::optional<SmallVector<int>> rootLoops(Operation *op, Refusal *refusal) {
  auto refuse = [&](Refusal reason) {
    if (refusal)
      *refusal = std::move(reason);
    return std::nullopt;
  };
  // What a softmax and an unpack compute is tiled by the dimensions of their result, that of the
  // softmax's rows aside.
  if (isa<linalg::SoftmaxOp, linalg::UnPackOp>(op)) {
    auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
    SmallVector<int> loops;
    for (int64_t dim = 0; dim < cast<RankedTensorType>(op->getResult(0).getType()).getRank(); ++dim)
      if (!softmax || dim != int64_t(softmax.getDimension()))
        loops.push_back(dim);
    return loops;
  }
  auto root = dyn_cast<linalg::LinalgOp>(op);
  if (!root)
    return refuse({.reason = NotGeneric, .evidence = {.culprit = op}});
  AffineMap map = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  for (OpOperand &init : root.getDpsInitsMutable())
    if (AffineMap other = root.getMatchingIndexingMap(&init); other != map)
      return refuse({.reason = ConflictingMaps, .evidence = {.producerMap = map, .consumerMap = other}});
  if (int clash = findUnprojected(map); clash >= 0)
    return refuse({.reason = MapNotProjectedPermutation, .evidence = {.producerMap = map, .clash = clash}});
  SmallVector<int> loops;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
  return loops;
}

/// The parallel loops before the first reduction.
static unsigned outerParallelLoops(linalg::LinalgOp op) {
  unsigned count = 0;
  for (utils::IteratorType type : op.getIteratorTypesArray()) {
    if (type != utils::IteratorType::parallel)
      break;
    ++count;
  }
  return count;
}

/// Which of the loops below `outer` the map names, in its order.
static SmallVector<unsigned> outerDims(AffineMap map, unsigned outer) {
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() < outer)
      dims.push_back(dim.getPosition());
  return dims;
}

/// Whether `op` could put its result where it reads `use`: elementwise, same map and type, and what was
/// there is not looked at.
static bool canOverwrite(linalg::LinalgOp op, OpOperand &use) {
  if (!isa<linalg::GenericOp>(op) || !isAllParallelLinalg(op))
    return false;
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return !op.payloadUsesValueFromOperand(&init) && init.get().getType() == use.get().getType() &&
           op.getMatchingIndexingMap(&init) == op.getMatchingIndexingMap(&use);
  });
}

Refusals outerLoopRefusals(OpResult value, AffineMap map, linalg::LinalgOp consumer, const FusionPolicy &policy) {
  Refusals refusals;
  auto producer = cast<linalg::LinalgOp>(value.getOwner());
  AffineMap written = producer.getIndexingMapMatchingResult(value);
  auto refuse = [&](FusionReason reason, AffineMap from, AffineMap to, int clash = -1) {
    refusals.push_back({.reason = reason, .evidence = {.producerMap = from, .consumerMap = to, .clash = clash}});
  };
  if (!policy.lookThroughZeros) {
    if (int clash = findZero(map); clash >= 0)
      refuse(UnitDimBroadcast, {}, map, clash);
    else if (int clash = findZero(written); clash >= 0)
      refuse(UnitDimBroadcast, written, {}, clash);
  }
  if (int clash = findUnprojected(map); clash >= 0)
    refuse(MapNotProjectedPermutation, {}, map, clash);
  if (policy.needSameOuterLoops && refusals.empty()) {
    unsigned outer = outerParallelLoops(producer);
    SmallVector<unsigned> writes = outerDims(written, outer), reads = outerDims(map, outer);
    if (outer == 0)
      refuse(NoSharedParallelDim, written, map);
    else if (writes.size() < outer)
      refuse(ProducerMoreParallel, written, map);
    else if (reads.size() < outer)
      refuse(ConsumerHigherRank, written, map);
    else if (!llvm::is_sorted(writes) || !llvm::is_sorted(reads))
      refuse(RootLoopMismatch, written, map);
  }
  if (policy.needInPlace && linalg::isaConvolutionOpInterface(producer) &&
      llvm::none_of(consumer->getOpOperands(), [&](OpOperand &use) {
        return use.get() == value && consumer.isDpsInput(&use) && canOverwrite(consumer, use);
      }))
    refuse(NotInPlace, written, map);
  return refusals;
}

//===-- Ops placed by others ---------------------------------------------------------===//

Refusals pairRefusals(const FusionEdge &edge, const FusionPolicy &policy) {
  Refusals refusals;
  if (std::optional<Refusal> refusal = nonFusableOp(edge))
    return {*refusal};
  if (edge.isCaptured())
    refusals.push_back({.reason = CapturedInBody, .evidence = {.culprit = edge.use->getOwner()}});
  llvm::append_range(refusals, copyRefusals(edge, policy));
  llvm::append_range(refusals, consumerKindRefusals(edge.consumer, edge.use, policy));
  Refusal refusal{.reason = NotGeneric};
  std::optional<SmallVector<int>> loops = rootLoops(edge.producer(), &refusal);
  if (!loops)
    refusals.push_back(refusal);
  auto consumer = dyn_cast<linalg::LinalgOp>(edge.consumer);
  if (loops && consumer && !edge.isCaptured() && canFollow(consumer, policy))
    llvm::append_range(refusals,
                       outerLoopRefusals(edge.value, consumer.getMatchingIndexingMap(edge.use), consumer, policy));
  return refusals;
}

} // namespace fuselage
