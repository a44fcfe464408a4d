// Transform ops that bring functions into forms for which MLIR has no transform.
#include "core/dialects/flow/Flow.h"
#include "core/schedules/forms/BufferCopies.h"
#include "core/schedules/forms/Destinations.h"
#include "core/schedules/forms/OnlyLoop.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::transform;

namespace fuselage {
namespace {

/// Moves the ops before `inner` that only it uses into its body.
void sinkInto(Operation *inner, RewriterBase &rewriter) {
  Block *body = &inner->getRegion(0).front();
  for (Operation *op = inner->getPrevNode(); op;) {
    Operation *before = op->getPrevNode();
    bool onlyInside = llvm::all_of(op->getUsers(), [&](Operation *user) { return inner->isProperAncestor(user); });
    if (isMemoryEffectFree(op) && !op->use_empty() && onlyInside)
      rewriter.moveOpBefore(op, body, body->begin());
    op = before;
  }
}

/// An empty tensor of the type and the sizes of `value`.
Value emptyLike(RewriterBase &rewriter, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, value), type.getElementType(),
                                 type.getEncoding());
}

/// Gives an init that is no destination a place of its own: empty where the op does not look at it, else a copy.
void giveDestination(RewriterBase &rewriter, DestinationStyleOpInterface op, OpOperand &init) {
  if (isDestination(init.get()) || !isa<RankedTensorType>(init.get().getType()))
    return;
  rewriter.setInsertionPoint(op);
  Value place = emptyLike(rewriter, op.getLoc(), init.get());
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured || structured.payloadUsesValueFromOperand(&init))
    place = linalg::CopyOp::create(rewriter, op.getLoc(), init.get(), place).getResult(0);
  rewriter.modifyOpInPlace(op, [&] { init.set(place); });
}

void fillInstead(RewriterBase &rewriter, tensor::SplatOp splat) {
  rewriter.setInsertionPoint(splat);
  Value place = tensor::EmptyOp::create(rewriter, splat.getLoc(), splat.getType(), splat.getDynamicSizes());
  rewriter.replaceOpWithNewOp<linalg::FillOp>(splat, splat.getInput(), place);
}

/// Clones the op for all of its readers but the first. Returns how many clones that took.
unsigned cloneForReaders(RewriterBase &rewriter, Operation *op) {
  llvm::SmallSetVector<Operation *, 4> readers(op->user_begin(), op->user_end());
  unsigned clones = 0;
  rewriter.setInsertionPointAfter(op);
  for (Operation *reader : llvm::drop_begin(readers, readers.empty() ? 0 : 1)) {
    Operation *clone = rewriter.clone(*op);
    rewriter.replaceUsesWithIf(op->getResults(), clone->getResults(),
                               [&](OpOperand &use) { return use.getOwner() == reader; });
    ++clones;
  }
  return clones;
}

/// #gpu.block<x> for the last dimension of the loop, y and z for those before it; numbered dimensions beyond
/// three.
ArrayAttr blocksFor(MLIRContext *context, unsigned rank) {
  SmallVector<Attribute> mapping;
  for (unsigned dim = rank; dim > 0; --dim) {
    auto first = static_cast<uint64_t>(rank > 3 ? gpu::MappingId::LinearDim0 : gpu::MappingId::DimX);
    mapping.push_back(gpu::GPUBlockMappingAttr::get(context, static_cast<gpu::MappingId>(first + dim - 1)));
  }
  return ArrayAttr::get(context, mapping);
}

} // namespace
} // namespace fuselage

using namespace fuselage;

DiagnosedSilenceableFailure SinkIntoLoopsOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                        ApplyToEachResultList &, TransformState &) {
  target->walk<WalkOrder::PreOrder>([&](Operation *op) { // from outside in, so that ops sink all the way
    Operation *inner = nullptr;
    if (auto outer = dyn_cast<scf::ForOp>(op))
      inner = onlyIn<scf::ForOp>(*outer.getBody());
    else if (auto outer = dyn_cast<scf::ForallOp>(op))
      inner = onlyIn<scf::ForallOp>(*outer.getBody());
    else
      return;
    if (!inner)
      inner = onlyLoopIn(op->getRegion(0).front());
    if (inner)
      sinkInto(inner, rewriter);
  });
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure GiveDestinationsOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                           ApplyToEachResultList &, TransformState &) {
  RewritePatternSet patterns(target->getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setListener(static_cast<RewriterBase::Listener *>(rewriter.getListener()))
      .enableFolding(false)
      .enableConstantCSE(false);
  (void)applyPatternsGreedily(target, std::move(patterns), config);
  SmallVector<tensor::SplatOp> splats;
  SmallVector<DestinationStyleOpInterface> writers;
  target->walk([&](Operation *op) {
    if (auto splat = dyn_cast<tensor::SplatOp>(op))
      splats.push_back(splat);
    if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
      writers.push_back(writer);
  });
  for (tensor::SplatOp splat : splats)
    fillInstead(rewriter, splat);
  for (DestinationStyleOpInterface writer : writers)
    for (OpOperand &init : writer.getDpsInitsMutable())
      giveDestination(rewriter, writer, init);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure CloneForReadersOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                          ApplyToEachResultList &, TransformState &) {
  SmallVector<linalg::LinalgOp> ops;
  target->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && linalg::isElementwise(op))
      ops.push_back(op);
  });
  // Readers first: a clone reads what its original reads. A chain in which each op is read twice takes two to the
  // power of its length.
  constexpr size_t mostClones = 20000;
  for (size_t clones = 0; !ops.empty() && clones < mostClones;) {
    linalg::LinalgOp op = ops.pop_back_val();
    clones += cloneForReaders(rewriter, op);
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure InsertCopiesOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                       ApplyToEachResultList &, TransformState &) {
  auto function = dyn_cast<FunctionOpInterface>(target);
  if (!function || function.isExternal())
    return DiagnosedSilenceableFailure::success();
  bufferization::BufferizationState state;
  for (const BufferCopy &copy : findBufferCopies(function).copies) {
    rewriter.setInsertionPoint(copy.operand->getOwner());
    FailureOr<Value> place =
        bufferization::allocateTensorForShapedValue(rewriter, copy.operand->getOwner()->getLoc(), copy.operand->get(),
                                                    oneShotOptions(), state, /*copy=*/copy.isRead);
    if (failed(place))
      return emitSilenceableError() << "no copy can be made of an operand of " << copy.operand->getOwner()->getName();
    rewriter.modifyOpInPlace(copy.operand->getOwner(), [&] { copy.operand->set(*place); });
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure OutlineDispatchesOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                            ApplyToEachResultList &, TransformState &) {
  auto function = dyn_cast<FunctionOpInterface>(target);
  if (!function || function.isExternal() || !canHoldDispatches(function.getFunctionBody()))
    return DiagnosedSilenceableFailure::success();
  int64_t first = 0;
  if (auto module = target->getParentOfType<ModuleOp>())
    for (auto other : module.getOps<FunctionOpInterface>())
      if (auto number = other->getAttrOfType<IntegerAttr>(kDispatchAttr))
        first = std::max(first, number.getInt() + 1);
  formDispatches(rewriter, function, FusionPolicy());
  outlineDispatches(rewriter, function, first);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure MapForallsOp::applyToOne(TransformRewriter &rewriter, Operation *target,
                                                     ApplyToEachResultList &, TransformState &) {
  target->walk([&](scf::ForallOp forall) {
    bool isOutermost = !forall->getParentOfType<scf::ForallOp>() && !forall->getParentOfType<gpu::LaunchOp>();
    std::optional<ArrayAttr> mapping = forall.getMapping();
    constexpr unsigned mostDims = 10; // that MLIR has numbers for
    if (isOutermost && (!mapping || mapping->empty()) && forall.getRank() <= mostDims)
      rewriter.modifyOpInPlace(forall,
                               [&] { forall.setMappingAttr(blocksFor(forall.getContext(), forall.getRank())); });
  });
  return DiagnosedSilenceableFailure::success();
}

#define FUSELAGE_NORMALIZING(OP)                                                                                       \
  void OP::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {                                       \
    onlyReadsHandle(getTargetMutable(), effects);                                                                      \
    modifiesPayload(effects);                                                                                          \
  }
FUSELAGE_NORMALIZING(SinkIntoLoopsOp)
FUSELAGE_NORMALIZING(GiveDestinationsOp)
FUSELAGE_NORMALIZING(CloneForReadersOp)
FUSELAGE_NORMALIZING(InsertCopiesOp)
FUSELAGE_NORMALIZING(OutlineDispatchesOp)
FUSELAGE_NORMALIZING(MapForallsOp)
#undef FUSELAGE_NORMALIZING
