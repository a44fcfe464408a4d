#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

bool isDispatch(FunctionOpInterface function) {
  return function && !function.isExternal() && function->hasAttr(kDispatchAttr);
}

void forEachFunction(Operation *root, llvm::function_ref<void(FunctionOpInterface)> visit) {
  SmallVector<FunctionOpInterface> functions;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal() && function->getNumRegions() > 0)
      functions.push_back(function);
    return WalkResult::skip();
  });
  for (FunctionOpInterface function : functions)
    visit(function);
}

void forEachDispatchBody(Operation *function, llvm::function_ref<void(Block &)> visit) {
  auto visitRegion = [&](Region &region) {
    if (region.hasOneBlock() && region.front().mightHaveTerminator())
      visit(region.front());
  };
  auto callable = dyn_cast<FunctionOpInterface>(function);
  if (callable && function->hasAttr(kDispatchAttr))
    return visitRegion(callable.getFunctionBody());
  SmallVector<Operation *> regions;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getStringRef() != "flow.dispatch.region")
      return WalkResult::advance();
    regions.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *region : regions)
    if (region->getNumRegions() > 0) // the second one counts workgroups
      visitRegion(region->getRegion(0));
}

/// Whether the expression never falls while its dimensions grow.
static bool isMonotone(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (binary.getKind() == AffineExprKind::Add)
    return isMonotone(binary.getLHS()) && isMonotone(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() != AffineExprKind::Mod && factor && factor.getValue() >= 0 && isMonotone(binary.getLHS());
}

bool isMonotone(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr expr) { return isMonotone(expr); });
}

TilingInterface asTileable(Operation *op) {
  auto tileable = dyn_cast_or_null<TilingInterface>(op);
  if (!tileable || op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return nullptr;
  // A loop without iterations cannot be cut into tiles: upstream reads a size of 0 as "whole".
  if (llvm::any_of(op->getResultTypes(),
                   [](Type type) { return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0); }))
    return nullptr;
  if (isa<tensor::PadOp>(op))
    return tileable;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() || llvm::is_contained(structured.getStaticLoopRanges(), 0))
    return nullptr;
  for (OpOperand &init : structured.getDpsInitsMutable())
    if (!structured.getMatchingIndexingMap(&init).isProjectedPermutation())
      return nullptr;
  if (!llvm::all_of(structured.getIndexingMapsArray(), [](AffineMap map) { return isMonotone(map); }))
    return nullptr;
  return tileable;
}

SmallVector<TilingInterface> tileableOps(Block &body) {
  SmallVector<TilingInterface> ops;
  for (Operation &op : body)
    if (TilingInterface tileable = asTileable(&op); tileable && !op.use_empty())
      ops.push_back(tileable);
  return ops;
}

bool readsByTile(OpOperand &use) {
  return use.getOwner()->getBlock() == use.get().getParentBlock() && asTileable(use.getOwner());
}

bool isAllParallel(TilingInterface op) {
  return llvm::all_of(op.getLoopIteratorTypes(),
                      [](utils::IteratorType type) { return type == utils::IteratorType::parallel; });
}

} // namespace fuselage
