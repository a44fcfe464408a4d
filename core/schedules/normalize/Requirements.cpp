#include "core/schedules/normalize/Requirements.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace fuselage {

/// Of ops that fail, or do nothing, on IR that is not in the form.
static llvm::StringRef tabulated(llvm::StringRef opName) {
  return llvm::StringSwitch<llvm::StringRef>(opName)
      .Case("transform.fuselage.interchange_loops", "PerfectForNestForm")
      .Case("transform.loop.coalesce", "PerfectForNestForm")
      .Case("transform.loop.pipeline", "LoopForm")
      .Case("transform.structured.interchange", "GeneralizedForm")
      .Case("transform.structured.hoist_pad", "LoopForm")
      .Case("transform.structured.hoist_redundant_vector_transfers", "LoopForm")
      .Case("transform.gpu.map_forall_to_blocks", "ForallNestForm")
      .Case("transform.gpu.map_nested_forall_to_threads", "ForallNestForm")
      .Default("");
}

const NormalForm *requiredForm(mlir::transform::TransformOpInterface op) {
  llvm::StringRef name = tabulated(op->getName().getStringRef());
  if (auto include = mlir::dyn_cast<mlir::transform::IncludeOp>(op.getOperation()))
    if (mlir::Operation *callee = mlir::SymbolTable::lookupNearestSymbolFrom(op, include.getTarget()))
      if (auto required = callee->getAttrOfType<mlir::StringAttr>("fuselage.requires"))
        name = required;
  return name.empty() ? nullptr : findForm(name);
}

llvm::SmallVector<mlir::Operation *> targetsOf(mlir::transform::TransformOpInterface op,
                                               const mlir::transform::TransformState &state) {
  if (op->getNumOperands() == 0 || !mlir::isa<mlir::transform::TransformHandleTypeInterface>(op->getOperand(0).getType()))
    return {};
  return llvm::SmallVector<mlir::Operation *>(state.getPayloadOps(op->getOperand(0)));
}

std::vector<mlir::FunctionOpInterface> functionsAround(mlir::transform::TransformOpInterface op,
                                                       const mlir::transform::TransformState &state) {
  llvm::SetVector<mlir::Operation *> functions;
  for (mlir::Operation *payload : targetsOf(op, state)) {
    auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(payload);
    if (!function)
      function = payload->getParentOfType<mlir::FunctionOpInterface>();
    if (function)
      functions.insert(function);
  }
  std::vector<mlir::FunctionOpInterface> result;
  for (mlir::Operation *function : functions)
    result.push_back(mlir::cast<mlir::FunctionOpInterface>(function));
  return result;
}

} // namespace fuselage
