#include "core/schedules/forms/Checkers.h"
#include "core/schedules/forms/BreachWords.h"
#include "core/schedules/forms/Fixpoint.h"
#include "core/schedules/forms/OnlyLoop.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuselage {
namespace {

using namespace mlir;

/// Whether the op computes the same in every iteration, and could as well be computed before the loop.
bool isInvariant(Operation &op, LoopLikeOpInterface loop) {
  if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op) || !isSpeculatable(&op))
    return false;
  WalkResult reached = op.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!loop.isDefinedOutsideOfLoop(operand) && !op.isAncestor(operand.getParentBlock()->getParentOp()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !reached.wasInterrupted();
}

/// What is in a block beside `inner` and the terminator.
void checkAlone(Operation *outer, Operation *inner, std::vector<FormBreach> &breaches) {
  for (Operation &op : inner->getBlock()->without_terminator())
    if (&op != inner)
      breaches.push_back({&op, nameOf(&op) + " stands between " + placeOf(outer) + " and the loop in it"});
}

/// Whether the inner loop gets what the outer one carries, and gives it back.
void checkCarried(scf::ForOp outer, LoopLikeOpInterface inner, std::vector<FormBreach> &breaches) {
  if (!llvm::equal(inner.getInits(), outer.getRegionIterArgs()) ||
      !llvm::equal(outer.getBody()->getTerminator()->getOperands(), inner->getResults()))
    breaches.push_back({inner, "the loop does not hand on, one to one, what " + placeOf(outer) + " carries"});
}

} // namespace

void checkCanonical(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  RewritePatternSet patterns(function.getContext());
  addCanonicalization(patterns);
  findRewrites(function, std::move(patterns), "canonicalization", breaches);
}

void checkLoops(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](LoopLikeOpInterface loop) {
    for (Region *region : loop.getLoopRegions())
      for (Operation &op : region->getOps())
        if (isInvariant(op, loop))
          breaches.push_back({&op, nameOf(&op) + " is the same in every iteration of " + placeOf(loop)});
  });
  // The patterns ask dialects for theirs, which have to be there.
  function.getContext()
      ->loadDialect<affine::AffineDialect, linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  RewritePatternSet patterns(function.getContext());
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  scf::populateSCFForLoopCanonicalizationPatterns(patterns);
  findRewrites(function, std::move(patterns), "the canonicalization of loops", breaches);
}

void checkPerfectForNests(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](scf::ForOp outer) {
    if (scf::ForOp inner = onlyIn<scf::ForOp>(*outer.getBody())) { // else the innermost, or a sequence of loops
      checkAlone(outer, inner, breaches);
      checkCarried(outer, inner, breaches);
    }
  });
}

void checkLoopNests(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](Operation *outer) {
    if (!isa<scf::ForOp, scf::ForallOp>(outer))
      return;
    Operation *inner = onlyLoopIn(outer->getRegion(0).front());
    if (!inner)
      return;
    checkAlone(outer, inner, breaches);
    if (auto around = dyn_cast<scf::ForOp>(outer))
      checkCarried(around, cast<LoopLikeOpInterface>(inner), breaches);
  });
}

void checkForallNests(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](scf::ForallOp forall) {
    if (scf::ForallOp inner = onlyIn<scf::ForallOp>(*forall.getBody()))
      checkAlone(forall, inner, breaches);
    if (auto around = forall->getParentOfType<scf::ForOp>())
      breaches.push_back({forall, "the parallel loop is inside of " + placeOf(around)});
  });
}

void checkGeneralized(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      breaches.push_back({op, nameOf(op) + " is a named op"});
  });
}

void checkNamed(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](linalg::GenericOp op) {
    if (!canBeNamed(op))
      return;
    OpBuilder outside(op->getContext());
    OwningOpRef<ModuleOp> module = ModuleOp::create(outside, op.getLoc());
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPointToStart(module->getBody()); // its operands stay those of the function
    auto copy = cast<linalg::GenericOp>(rewriter.clone(*op));
    FailureOr<linalg::LinalgOp> named = linalg::specializeGenericOp(rewriter, copy);
    if (succeeded(named) && !isa<linalg::GenericOp>(*named))
      breaches.push_back({op, "the linalg.generic is " + nameOf(*named)});
  });
}

void checkUnitDimFree(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](linalg::LinalgOp op) {
    for (auto [loop, range] : llvm::enumerate(op.getStaticLoopRanges()))
      if (range == 1)
        breaches.push_back({op, nameOf(op) + " has one iteration in its loop " + std::to_string(loop)});
  });
}

} // namespace fuselage
