#include "core/codegen/host/Refusal.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"

using namespace mlir;

namespace fuselage {

/// Where an op comes from, else what is around it.
static Location placeOf(Operation *op) {
  for (Operation *around = op; around; around = around->getParentOp())
    if (around == op || !around->hasTrait<OpTrait::SymbolTable>())
      if (positionOf(around->getLoc()).line != 0)
        return around->getLoc();
  return op->getLoc();
}

LogicalResult refuseFirst(ModuleOp module, llvm::function_ref<std::string(Operation *)> refuse) {
  Operation *found = nullptr;
  std::string why;
  // The op itself before those in its regions.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    why = refuse(op);
    if (why.empty())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found)
    return success();
  std::string name = displayName(found);
  if (auto cast = llvm::dyn_cast<UnrealizedConversionCastOp>(found); cast && cast.getNumOperands())
    if (Operation *source = cast.getOperand(0).getDefiningOp())
      name = displayName(source) + "' or a user of it, '" + name;
  return emitError(placeOf(found)) << "'" << name << "' cannot run: " << why;
}

LogicalResult refuseUnregistered(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) { return op->isRegistered() ? "" : kNoLowering.str(); });
}

LogicalResult report(llvm::Error error, ModuleOp module) {
  if (!error)
    return success();
  Failure failure = takeFailure(std::move(error));
  Location place = module.getLoc();
  if (!failure.diagnostics.empty() && failure.diagnostics.front().line != 0) {
    const fuselage::Diagnostic &first = failure.diagnostics.front();
    place = FileLineColLoc::get(module.getContext(), first.file, first.line, first.column);
  }
  return emitError(place) << failure.message;
}

} // namespace fuselage
