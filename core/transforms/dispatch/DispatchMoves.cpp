// fuselage-dispatch-moves: slices become part of the dispatches that read them; other moves of elements get dispatches.
#include "core/transforms/dispatch/DispatchMoves.h"
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_DISPATCHMOVESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {

/// Whether kernels can take parts of such a tensor: sizes are known, there are elements, and each has bytes of its own.
static bool isOfBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0 || !tensor.getElementType().isIntOrFloat())
    return false;
  unsigned bits = tensor.getElementTypeBitWidth();
  return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool isJoin(Operation *op) {
  return isa<tensor::ConcatOp, tensor::InsertSliceOp>(op) && isOfBytes(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<TensorType>(operand.getType()) || isOfBytes(operand.getType());
         });
}

SmallVector<Operation *> joinChain(Operation *join) {
  SmallVector<Operation *> chain{join};
  auto insertion = dyn_cast<tensor::InsertSliceOp>(join);
  while (insertion && insertion.getDest().hasOneUse()) {
    insertion = insertion.getDest().getDefiningOp<tensor::InsertSliceOp>();
    if (!insertion || !isJoin(insertion) || insertion->getBlock() != join->getBlock())
      break;
    chain.insert(chain.begin(), insertion);
  }
  return chain;
}

/// What the next round of the loop finds in the block argument `carried`; null where it is none that a loop carries, or
/// somebody else may see what was in it.
static Value nextOf(BlockArgument carried) {
  Operation *loop = carried.getOwner()->getParentOp();
  if (auto counted = dyn_cast_or_null<scf::ForOp>(loop)) {
    OpOperand *yielded = counted.getTiedLoopYieldedValue(carried);
    return yielded ? yielded->get() : Value();
  }
  auto tested = dyn_cast_or_null<scf::WhileOp>(loop);
  if (!tested || carried.getOwner() != tested.getAfterBody())
    return {};
  auto before = dyn_cast<BlockArgument>(tested.getConditionOp().getArgs()[carried.getArgNumber()]);
  if (!before || before.getOwner() != tested.getBeforeBody() || !before.hasOneUse())
    return {};
  return tested.getYieldOp().getOperand(before.getArgNumber());
}

bool updatesLoopCarried(Operation *join) {
  auto insertion = dyn_cast<tensor::InsertSliceOp>(joinChain(join).front());
  auto carried = insertion ? dyn_cast<BlockArgument>(insertion.getDest()) : BlockArgument();
  return carried && carried.hasOneUse() && nextOf(carried) == join->getResult(0);
}

/// A slice whose place is known: a view, where it is read.
static bool isSlice(Operation *op) {
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op);
  return slice && isOfBytes(slice.getType()) && isOfBytes(slice.getSourceType()) &&
         llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic);
}

tensor::ExtractSliceOp sliceOf(Value value) {
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>(); expand && expand.getResultType().hasStaticShape())
    value = expand.getSrc();
  return isSlice(value.getDefiningOp()) ? value.getDefiningOp<tensor::ExtractSliceOp>() : nullptr;
}

/// Whether elements of a slice begin and end where 16 bytes do, as contractions like to read them.
static bool isAligned(tensor::ExtractSliceOp slice) {
  constexpr int64_t bits = 128;
  int64_t width = slice.getSourceType().getElementTypeBitWidth();
  if (slice.getSourceType().getRank() == 0)
    return true;
  return slice.getStaticStrides().back() == 1 && slice.getStaticOffsets().back() * width % bits == 0 &&
         slice.getStaticSizes().back() * width % bits == 0 &&
         slice.getSourceType().getShape().back() * width % bits == 0;
}

bool readsInPlace(DispatchKind kind, tensor::ExtractSliceOp slice) {
  bool readsOften = kind == DispatchKind::Contraction || kind == DispatchKind::Convolution;
  return !readsOften || isAligned(slice);
}

bool isDecision(Operation *slice) {
  constexpr int64_t few = 64;
  auto type = cast<RankedTensorType>(slice->getResult(0).getType());
  return llvm::any_of(slice->getUsers(), llvm::IsaPred<tensor::ExtractOp>) ||
         (type.getElementType().isInteger() && type.getNumElements() < few);
}

bool isPartOfJoin(Operation *op) {
  return isElementwiseOp(op) || isa<tensor::EmptyOp, tensor::ExpandShapeOp>(op) || isSlice(op);
}

void cloneCheapOperands(DispatchGroup &group) {
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && (isFill(producer) || isa<tensor::EmptyOp>(producer)) &&
          !llvm::is_contained(group.ops, producer) && !llvm::is_contained(group.clonedProducers, producer))
        group.clonedProducers.push_back(producer);
}

namespace {

class MovePlacer {
public:
  MovePlacer(RewriterBase &rewriter, FunctionOpInterface function) : rewriter_(rewriter), function_(function) {}

  void run() {
    SmallVector<Operation *> joins, slices;
    SmallVector<flow::DispatchRegionOp> dispatches;
    function_->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto dispatch = dyn_cast<flow::DispatchRegionOp>(op)) {
        dispatches.push_back(dispatch);
        return WalkResult::skip();
      }
      if (isa<linalg::LinalgOp>(op))
        return WalkResult::skip();
      if (isJoin(op))
        joins.push_back(op);
      else if (isSlice(op))
        slices.push_back(op);
      return WalkResult::advance();
    });
    for (flow::DispatchRegionOp dispatch : dispatches)
      takeSlices(dispatch);
    // From the last one on: it takes those before it, and what nobody reads any more is none.
    llvm::SmallPtrSet<Operation *, 4> inPlace;
    for (Operation *join : llvm::reverse(joins))
      if (updatesLoopCarried(join))
        inPlace.insert_range(joinChain(join));
      else if (join->getParentOfType<flow::DispatchRegionOp>() == nullptr && !inPlace.contains(join))
        wrapJoin(join);
    for (Operation *slice : llvm::reverse(slices))
      wrapSlice(slice);
  }

private:
  void takeSlices(flow::DispatchRegionOp dispatch);
  void wrapJoin(Operation *join);
  void wrapSlice(Operation *slice);
  void wrap(DispatchGroup &group);
  void addElementwise(Value value, Operation *reader, DispatchGroup &group);

  RewriterBase &rewriter_;
  FunctionOpInterface function_;
};

} // namespace

/// Clones the slices that a dispatch reads into it. One that lies oddly stays where a contraction reads it again and
/// again.
void MovePlacer::takeSlices(flow::DispatchRegionOp dispatch) {
  DispatchKind kind = classifyDispatch(dispatch);
  for (bool changed = true; changed;) {
    changed = false;
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(dispatch.getBody(), used);
    for (Value value : used) {
      tensor::ExtractSliceOp slice = sliceOf(value);
      if (!slice || !readsInPlace(kind, slice))
        continue;
      rewriter_.setInsertionPointToStart(&dispatch.getBody().front());
      replaceAllUsesInRegionWith(value, rewriter_.clone(*value.getDefiningOp())->getResult(0), dispatch.getBody());
      changed = true;
    }
  }
}

/// Takes a dispatch that computes `value` element by element for `reader` alone apart, and its ops into the group: they
/// write to where their results are joined.
void MovePlacer::addElementwise(Value value, Operation *reader, DispatchGroup &group) {
  auto dispatch = value.getDefiningOp<flow::DispatchRegionOp>();
  if (!dispatch || dispatch->getBlock() != reader->getBlock() || dispatch->getNumResults() != 1 || !value.hasOneUse())
    return;
  Block &body = dispatch.getBody().front();
  bool isPlain = llvm::all_of(body.without_terminator(), [](Operation &op) { return isPartOfJoin(&op); });
  if (!isPlain)
    return;
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    rewriter_.moveOpBefore(op, dispatch);
  rewriter_.replaceOp(dispatch, dispatch.getReturn()->getOperands());
  group.ops.insert(group.ops.begin(), ops.begin(), ops.end());
}

void MovePlacer::wrapJoin(Operation *join) {
  DispatchGroup group{.root = join, .ops = joinChain(join), .clonedProducers = {}};
  for (Operation *op : llvm::to_vector(group.ops))
    for (Value operand : llvm::to_vector(op->getOperands()))
      addElementwise(operand, op, group);
  wrap(group);
}

/// A slice that is needed by itself becomes a copy.
void MovePlacer::wrapSlice(Operation *slice) {
  for (Operation *user : llvm::make_early_inc_range(slice->getUsers()))
    if (isa<tensor::ExpandShapeOp>(user) && user->use_empty())
      rewriter_.eraseOp(user);
  if (slice->use_empty())
    return rewriter_.eraseOp(slice);
  if (isDecision(slice))
    return;
  DispatchGroup group{.root = slice, .ops = {slice}, .clonedProducers = {}};
  wrap(group);
}

/// Puts the group into a dispatch.
void MovePlacer::wrap(DispatchGroup &group) {
  llvm::sort(group.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  cloneCheapOperands(group);
  FailureOr<Operation *> wrapped = wrapDispatch(rewriter_, group);
  if (succeeded(wrapped))
    takeSlices(cast<flow::DispatchRegionOp>(*wrapped));
}

namespace {

struct DispatchMovesPass : impl::DispatchMovesPassBase<DispatchMovesPass> {
  void runOnOperation() override {
    if (isDispatch(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    MovePlacer(rewriter, getOperation()).run();
  }
};

} // namespace
} // namespace fuselage
