#include "core/graph/build/ModuleParts.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/ir/ops/Payload.h"

using namespace mlir;

namespace fuselage {

bool isFunctionLike(Operation *op) {
  if (isFunction(op))
    return true;
  return op->getNumRegions() > 0 && op->hasAttr(SymbolTable::getSymbolAttrName()) && decode(op).role == OpRole::None;
}

bool isContainer(Operation *op) {
  if (isa<ModuleOp>(op))
    return true;
  if (isFunction(op))
    return false;
  OpRole role = decode(op).role;
  if (role == OpRole::Executable)
    return op->getNumRegions() > 0;
  if (role != OpRole::None)
    return false;
  if (op->hasTrait<OpTrait::SymbolTable>())
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (isa<ModuleOp>(inner) || isFunctionLike(&inner))
          return true;
  return false;
}

bool isShownAlone(Operation *op) {
  switch (decode(op).role) {
  case OpRole::Gap:
    return true;
  case OpRole::EntryPoint: // its body only counts workgroups
  case OpRole::Declaration:
  case OpRole::Executable:
    return false;
  default:
    return op->getNumOperands() || op->getNumResults() || op->getNumRegions();
  }
}

int64_t countOps(ModuleOp module) {
  int64_t ops = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() > 0 && (isContainer(op) || isFunctionLike(op)))
      return WalkResult::advance();
    // Globals and the like are in no graph.
    if (Operation *around = op->getParentOp(); around && isContainer(around) && !isShownAlone(op))
      return WalkResult::skip();
    ++ops;
    return hasPayloadRegion(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return ops;
}

} // namespace fuselage
