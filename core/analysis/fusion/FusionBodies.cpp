#include "core/analysis/fusion/FusionBodies.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/ir/ops/Payload.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {

/// Collects the bodies in `container`; true if it holds any.
static bool collectBodies(Operation *container, SmallVectorImpl<Region *> &bodies) {
  bool holdsFunctions = false, holdsOps = false;
  for (Region &region : container->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        if (isFunction(&op)) {
          holdsFunctions = true;
          for (Region &body : op.getRegions())
            if (!body.empty())
              bodies.push_back(&body);
        } else if (isa<ModuleOp>(op) || op.hasTrait<OpTrait::SymbolTable>() || decode(&op).role == OpRole::Executable) {
          holdsFunctions |= collectBodies(&op, bodies);
        } else {
          holdsOps |= op.getNumResults() > 0;
        }
      }
  if (holdsOps && !holdsFunctions && container->getNumRegions() == 1) {
    bodies.push_back(&container->getRegion(0));
    return true;
  }
  return holdsFunctions;
}

SmallVector<Region *> findFusionBodies(ModuleOp module) {
  SmallVector<Region *> bodies;
  collectBodies(module, bodies);
  return bodies;
}

Operation *DispatchFinder::find(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    Operation *callee = symbols_.lookupNearestSymbolFrom(op, call.getCalleeAttr());
    return callee && callee->hasAttr(kDispatchAttr) ? callee : nullptr;
  }
  OpRole role = decode(op).role;
  return role == OpRole::DispatchRegion || role == OpRole::DispatchCall ? op : nullptr;
}

Operation *DispatchFinder::findCalled(Operation *op) {
  if (isa<func::CallOp>(op))
    return find(op);
  DecodedOp decoded = decode(op);
  return decoded.role == OpRole::DispatchCall ? kernels_.find(op, decoded.callee) : nullptr;
}

/// Whether a value of this type is data that may lie in memory.
bool isData(Type type) { return isa<TensorType, BaseMemRefType>(type) || underlyingTensor(type); }

void forEachDataUse(Region &body, llvm::function_ref<void(OpOperand &, Operation *, unsigned)> visit) {
  auto visitUse = [&](OpOperand &use, Operation *op, unsigned number) {
    Operation *producer = use.get().getDefiningOp();
    if (producer && body.isAncestor(producer->getParentRegion()) && isData(use.get().getType()))
      visit(use, op, number);
  };
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() || isa<tensor::DimOp>(op) || findSizeSource(op))
      return WalkResult::advance();
    for (OpOperand &use : op->getOpOperands())
      visitUse(use, op, use.getOperandNumber());
    if (!hasPayloadRegion(op))
      return WalkResult::advance();
    unsigned next = op->getNumOperands();
    llvm::SmallDenseSet<Value> captured;
    for (Region &payload : op->getRegions())
      payload.walk([&](Operation *inner) {
        for (OpOperand &use : inner->getOpOperands())
          if (!payload.isAncestor(use.get().getParentRegion()) && captured.insert(use.get()).second)
            visitUse(use, op, next++);
      });
    return WalkResult::skip();
  });
}

OpOperand *findViewed(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp, tensor::ExtractSliceOp>(
          op))
    return &op->getOpOperand(0);
  return nullptr;
}

} // namespace fuselage
