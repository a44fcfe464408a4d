#include "core/schedules/normalize/Requirements.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

#define FUSELAGE_LINALG "GeneralizedForm", "UnitDimFreeForm"
#define FUSELAGE_WRITES "DestinationStyleForm", "SingleUseElementwiseForm"
#define FUSELAGE_CANONICAL "CanonicalForm", "LoopForm", "PerfectForNestForm", "ForallNestForm", "ForAllForNestForm"
const std::vector<FormRule> &formRules() {
  static const std::vector<FormRule> rules = {
      {"transform.annotate",
       {},
       {},
       {FUSELAGE_LINALG, FUSELAGE_WRITES, "NamedForm"}}, // and what CSE compares is another thing
      {"transform.apply_patterns", {}, {}, {}},
      {"transform.apply_cse",
       {},
       {},
       {FUSELAGE_CANONICAL, FUSELAGE_LINALG, "NamedForm", "DestinationStyleForm", "GpuMappedForm"}},
      {"transform.apply_dce",
       {},
       {},
       {FUSELAGE_CANONICAL, FUSELAGE_LINALG, FUSELAGE_WRITES, "NamedForm", "GpuMappedForm"}},
      {"transform.apply_licm", {}, {}, {"LoopForm", FUSELAGE_LINALG, FUSELAGE_WRITES, "NamedForm"}},
      {"transform.loop.coalesce", {"PerfectForNestForm"}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.loop.peel", {}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.loop.pipeline", {"LoopForm"}, {}, {FUSELAGE_LINALG}},
      {"transform.loop.unroll", {}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.structured.fuse", {}, {}, {"GeneralizedForm"}},
      {"transform.structured.fuse_into_containing_op", {}, {}, {"GeneralizedForm"}},
      {"transform.structured.generalize", {}, {}, {FUSELAGE_LINALG, FUSELAGE_WRITES, "GpuMappedForm"}},
      {"transform.structured.hoist_pad", {"LoopForm"}, {}, {}},
      {"transform.structured.hoist_redundant_vector_transfers", {"LoopForm"}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.structured.interchange",
       {"GeneralizedForm"},
       {},
       {FUSELAGE_LINALG, FUSELAGE_WRITES, "GpuMappedForm"}},
      {"transform.structured.specialize", {}, {}, {"UnitDimFreeForm", FUSELAGE_WRITES, "GpuMappedForm"}},
      {"transform.structured.tile_using_for", {}, {}, {"GeneralizedForm", "DestinationStyleForm", "GpuMappedForm"}},
      {"transform.structured.tile_using_forall", {}, {}, {"GeneralizedForm", "DestinationStyleForm"}},
      {"transform.structured.vectorize", {}, {}, {FUSELAGE_LINALG, "NamedForm", "GpuMappedForm"}},
      {"transform.gpu.map_forall_to_blocks",
       {"ForallNestForm", "GpuMappedForm"},
       {"GpuMappedForm"},
       {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.gpu.map_nested_forall_to_threads", {"ForallNestForm"}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.fuselage.interchange_loops",
       {"PerfectForNestForm"},
       {},
       {"CanonicalForm", "PerfectForNestForm", FUSELAGE_LINALG, FUSELAGE_WRITES, "NamedForm", "GpuMappedForm"}},
      {"transform.fuselage.sink_into_loops", {}, {}, {FUSELAGE_LINALG, "NamedForm"}},
      {"transform.fuselage.give_destinations", {}, {}, {}},
      {"transform.fuselage.clone_for_readers",
       {},
       {},
       {FUSELAGE_LINALG, "NamedForm", "DestinationStyleForm", "GpuMappedForm"}},
      {"transform.fuselage.insert_copies", {}, {}, {FUSELAGE_LINALG, "DestinationStyleForm", "GpuMappedForm"}},
      {"transform.fuselage.outline_dispatches", {}, {}, {}},
      {"transform.fuselage.map_foralls", {}, {}, {FUSELAGE_LINALG, FUSELAGE_WRITES, "NamedForm", "GpuMappedForm"}},
  };
  return rules;
}
#undef FUSELAGE_LINALG
#undef FUSELAGE_WRITES
#undef FUSELAGE_CANONICAL

const FormRule *formRule(llvm::StringRef op) {
  static const llvm::StringMap<const FormRule *> byName = [] {
    llvm::StringMap<const FormRule *> map;
    for (const FormRule &rule : formRules())
      map[rule.op] = &rule;
    return map;
  }();
  return byName.lookup(op);
}

std::vector<const NormalForm *> requiredForms(mlir::transform::TransformOpInterface op, const FormSet &forms) {
  std::vector<const NormalForm *> required;
  if (const FormRule *rule = formRule(op->getName().getStringRef()))
    for (llvm::StringRef name : rule->required)
      required.push_back(forms.find(name));
  if (auto include = mlir::dyn_cast<mlir::transform::IncludeOp>(op.getOperation()))
    if (mlir::Operation *callee = mlir::SymbolTable::lookupNearestSymbolFrom(op, include.getTarget()))
      if (auto name = callee->getAttrOfType<mlir::StringAttr>("fuselage.requires"))
        if (const NormalForm *form = forms.find(name))
          required.push_back(form);
  return required;
}

llvm::SmallVector<mlir::Operation *> targetsOf(mlir::transform::TransformOpInterface op,
                                               const mlir::transform::TransformState &state) {
  if (op->getNumOperands() == 0 ||
      !mlir::isa<mlir::transform::TransformHandleTypeInterface>(op->getOperand(0).getType()))
    return {};
  return llvm::SmallVector<mlir::Operation *>(state.getPayloadOps(op->getOperand(0)));
}

std::vector<mlir::FunctionOpInterface> functionsIn(mlir::Operation *root) {
  std::vector<mlir::FunctionOpInterface> functions;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
    return mlir::WalkResult::skip();
  });
  return functions;
}

using FunctionSet = llvm::SetVector<mlir::FunctionOpInterface, std::vector<mlir::FunctionOpInterface>>;

static void addFunctions(mlir::Operation *payload, FunctionSet &functions) {
  if (auto around = payload->getParentOfType<mlir::FunctionOpInterface>())
    functions.insert(around);
  else
    functions.insert_range(functionsIn(payload));
}

std::vector<mlir::FunctionOpInterface> functionsAround(mlir::transform::TransformOpInterface op,
                                                       const mlir::transform::TransformState &state) {
  FunctionSet functions;
  for (mlir::Operation *payload : targetsOf(op, state))
    addFunctions(payload, functions);
  return functions.takeVector();
}

std::vector<mlir::FunctionOpInterface> functionsOfOperands(mlir::transform::TransformOpInterface op,
                                                           const mlir::transform::TransformState &state) {
  FunctionSet functions;
  for (mlir::Value operand : op->getOperands())
    if (mlir::isa<mlir::transform::TransformHandleTypeInterface>(operand.getType()))
      for (mlir::Operation *payload : state.getPayloadOps(operand))
        addFunctions(payload, functions);
  return functions.takeVector();
}

} // namespace fuselage
