// fuselage-portable-dispatches.
#include "core/transforms/foreign/PortableDispatches.h"
#include "core/transforms/attention/TileAttention.h"
#include "core/transforms/composites/DecomposeComposites.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/foreign/AttentionDispatches.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "core/transforms/foreign/ForeignTensorOps.h"
#include "core/transforms/foreign/Passes.h"
#include "core/transforms/foreign/PortableConcats.h"
#include "core/transforms/foreign/PortableLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace fuselage {
#define GEN_PASS_DEF_PORTABLEDISPATCHESPASS
#include "core/transforms/foreign/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

/// A named op that some versions of MLIR have and others lack: all loops parallel, and neither moves nor fills.
static bool isNamedElementwise(Operation *op) {
  auto named = dyn_cast<linalg::LinalgOp>(op);
  return named && linalg::isElementwise(named) &&
         !isa<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp, linalg::CopyOp>(op);
}

/// Whether several ops write results, over different points: no one grid of workgroups covers them all.
static bool hasResultsOfSeveralShapes(flow::DispatchRegionOp region) {
  Operation *first = nullptr;
  for (Value result : region.getBody().front().getTerminator()->getOperands()) {
    Operation *op = result.getDefiningOp();
    auto type = dyn_cast<ShapedType>(result.getType());
    if (!op || !type)
      return true;
    if (!first)
      first = op;
    else if (op != first && cast<ShapedType>(first->getResult(0).getType()).getShape() != type.getShape())
      return true;
  }
  return false;
}

/// Whether all that reads a dispatch's results inserts them into a larger tensor: IREE's kernels do that where they
/// compute them, and a result that somebody else's dispatch gives is copied once more.
static bool isPartOfLarger(flow::DispatchRegionOp region) {
  return !region->use_empty() && llvm::all_of(region->getUses(), [](OpOperand &use) {
    auto insertion = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return insertion && use.get() == insertion.getSource();
  });
}

/// IREE joins along the outermost dimension, and moves others there.
static bool isInnerConcat(Operation *op) {
  auto concat = dyn_cast_if_present<tensor::ConcatOp>(op);
  return concat && concat.getDim() != 0;
}

/// Whether a result is a part of a concat along an inner dimension, and is read as it lies as well: IREE writes it in
/// both ways at once where the op is its own to fuse.
static bool isJoinedAndRead(flow::DispatchRegionOp region) {
  return llvm::any_of(region->getResults(), [](Value result) {
    return !result.hasOneUse() && llvm::any_of(result.getUsers(), isInnerConcat);
  });
}

/// Whether a result is padded: IREE writes it into the larger tensor where the op is its own to fuse.
static bool isPadded(flow::DispatchRegionOp region) {
  return llvm::any_of(region->getUsers(), llvm::IsaPred<tensor::PadOp>);
}

/// Whether a dispatch computes element by element.
static bool isElementwise(flow::DispatchRegionOp region) {
  return !region.getBody()
              .walk([](linalg::LinalgOp op) {
                return op.getNumReductionLoops() > 0 ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Dispatches that compute element by element on both sides of a reshape: IREE moves the reshape away and makes one of
/// them.
static SmallVector<flow::DispatchRegionOp> elementwiseAcrossReshapes(ModuleOp module) {
  llvm::SetVector<Operation *> found;
  module.walk([&](Operation *reshape) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reshape) || !reshape->hasOneUse())
      return;
    auto from = reshape->getOperand(0).getDefiningOp<flow::DispatchRegionOp>();
    auto to = (*reshape->user_begin())->getParentOfType<flow::DispatchRegionOp>();
    if (!from || !to || reshape->getParentOfType<flow::DispatchRegionOp>() || !from->hasOneUse() ||
        !isElementwise(from) || !isElementwise(to))
      return;
    found.insert(from);
    found.insert(to);
  });
  return llvm::map_to_vector(found, [](Operation *op) { return cast<flow::DispatchRegionOp>(op); });
}

/// Whether a dispatch reads tensors that are joined along an inner dimension: the kernels that IREE forms itself
/// read them as they lie, and for somebody else's they are transposed first.
static bool readsInnerConcat(flow::DispatchRegionOp region) {
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(region.getBody(), read);
  return llvm::any_of(read, [](Value value) { return isInnerConcat(value.getDefiningOp()); });
}

/// Whether other compilers form a dispatch of a kind that their kernels cannot be made of when somebody else forms it:
/// IREE's for CPUs pads nothing by itself, keeps whole rows of what it gathers on the stack before it reduces them, and
/// needs one grid.
static bool isBetterFormedElsewhere(Operation *op) {
  auto region = dyn_cast<flow::DispatchRegionOp>(op);
  if (!region)
    return false;
  bool pads = false, gathers = false, reduces = false;
  region.getBody().walk([&](Operation *inner) {
    pads |= isa<tensor::PadOp>(inner);
    gathers |= isa<tensor::ExtractOp>(inner);
    auto structured = dyn_cast<linalg::LinalgOp>(inner);
    reduces |= structured && structured.getNumReductionLoops() > 0;
  });
  return pads || (gathers && reduces) || hasResultsOfSeveralShapes(region) || isPartOfLarger(region) ||
         isPadded(region) || isJoinedAndRead(region) || readsInnerConcat(region);
}

/// Values that depend on constants alone, through any number of ops.
static llvm::DenseSet<Value> constantExpressions(ModuleOp module) {
  llvm::DenseSet<Value> constants;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isStructured = isa<linalg::LinalgOp, tensor::EmptyOp>(op) &&
                        llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (!isStructured && !op->hasTrait<OpTrait::ConstantLike>())
      return;
    llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    if (llvm::all_of(read, [&](Value value) { return constants.contains(value); }))
      constants.insert(op->result_begin(), op->result_end());
  });
  return constants;
}

/// Whether a dispatch of several results computes one from constants alone. IREE 3.13 evaluates
/// those when it compiles, and takes the first result in place of each, or refuses the dispatch.
static bool mixesConstantResults(flow::DispatchRegionOp region, const llvm::DenseSet<Value> &constants) {
  ValueRange results = region.getBody().front().getTerminator()->getOperands();
  return results.size() > 1 && llvm::any_of(results, [&](Value value) { return constants.contains(value); });
}

/// A copy for each result, so that none of several results depends on constants alone.
static void splitResults(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<Operation *> copies;
  rewriter.setInsertionPoint(op);
  for (OpResult result : op->getResults()) {
    copies.push_back(rewriter.clone(*op));
    rewriter.replaceAllUsesWith(result, copies.back()->getResult(result.getResultNumber()));
  }
  rewriter.eraseOp(op);
  RewritePatternSet patterns(rewriter.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyOpPatternsGreedily(copies, std::move(patterns));
}

static void separateConstantResults(ModuleOp module, RewriterBase &rewriter) {
  llvm::DenseSet<Value> constants = constantExpressions(module);
  for (Operation *op : collectOps(module, [](Operation *op) { return isa<flow::DispatchRegionOp>(op); }))
    if (auto region = cast<flow::DispatchRegionOp>(op); mixesConstantResults(region, constants))
      dissolve(region);
  for (Operation *op : collectOps(module, [](Operation *op) { return isa<linalg::GenericOp>(op); }))
    if (op->getNumResults() > 1 && constants.contains(op->getResult(0)))
      splitResults(rewriter, cast<linalg::GenericOp>(op));
}

/// Gives each result of a structured op in a dispatch an empty tensor of its own there: one from outside is a binding
/// that the dispatch would write, and two results cannot share one.
static void separateInits(flow::DispatchRegionOp region) {
  OpBuilder builder(region.getContext());
  region.getBody().walk([&](linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty || (empty->getParentOp() == region && empty->hasOneUse()))
        continue;
      builder.setInsertionPoint(op);
      init.set(builder.clone(*empty)->getResult(0));
    }
  });
}

void fuselage::makePortable(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  tileAttention(module);
  for (Operation *op : collectOps(module, isBetterFormedElsewhere))
    dissolve(cast<flow::DispatchRegionOp>(op));
  for (flow::DispatchRegionOp region : elementwiseAcrossReshapes(module))
    dissolve(region);
  separateConstantResults(module, rewriter);
  for (Operation *op : collectOps(module, [](Operation *op) { return isa<flow::DispatchRegionOp>(op); }))
    separateInits(cast<flow::DispatchRegionOp>(op));
  for (Operation *op : collectOps(module, isNamedElementwise)) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
  }
  joinAlongOutermost(module);
  for (Operation *op : collectOps(module, [](Operation *op) { return isa<scf::ForallOp>(op); }))
    if (op->getNumResults() > 0)
      (void)forallToLoops(rewriter, cast<scf::ForallOp>(op));
}

bool fuselage::hasOpsLoweredElsewhere(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return isLoopComposite(op) || isWidthBitcast(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

PortableCount fuselage::countPortable(ModuleOp module) {
  PortableCount count;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<flow::DispatchRegionOp>(op)) {
      ++count.regions;
      return WalkResult::skip();
    }
    count.opsOutside += isComputeOp(op) || isForeignComposite(op);
    return WalkResult::advance();
  });
  return count;
}

bool fuselage::isPortableLoop(Operation *op) { return isa<scf::ForOp>(op) && op->hasAttr(kForallAttr); }

void fuselage::restoreParallelLoops(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (Operation *op : collectOps(module, isPortableLoop)) {
    rewriter.setInsertionPoint(op);
    if (failed(loopsToForall(rewriter, cast<scf::ForOp>(op)))) {
      op->emitRemark("stays a sequential loop: its rounds are not seen to be independent");
      op->removeAttr(kForallAttr);
    }
  }
}

namespace {
struct PortableDispatchesPass : fuselage::impl::PortableDispatchesPassBase<PortableDispatchesPass> {
  void runOnOperation() override { makePortable(getOperation()); }
};
} // namespace
