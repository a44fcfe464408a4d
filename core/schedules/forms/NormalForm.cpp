#include "core/schedules/forms/NormalForm.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {

/// The form and all that it implies, once each, those that are implied first.
static void collectImplied(const NormalForm &form, llvm::SetVector<const NormalForm *> &forms) {
  if (forms.contains(&form))
    return;
  for (const NormalForm *implied : form.implies)
    collectImplied(*implied, forms);
  forms.insert(&form);
}

bool implies(const NormalForm &form, const NormalForm &other) {
  llvm::SetVector<const NormalForm *> forms;
  collectImplied(form, forms);
  return forms.contains(&other);
}

/// In program order; those of one op stay in the order of the forms.
static void sortByPlace(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  llvm::DenseMap<mlir::Operation *, size_t> places;
  function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { places.try_emplace(op, places.size()); });
  llvm::stable_sort(
      breaches, [&](const FormBreach &a, const FormBreach &b) { return places.lookup(a.op) < places.lookup(b.op); });
}

std::vector<FormBreach> checkForm(const NormalForm &form, mlir::FunctionOpInterface function) {
  std::vector<FormBreach> breaches;
  if (function.isExternal())
    return breaches;
  llvm::SetVector<const NormalForm *> forms;
  collectImplied(form, forms);
  for (const NormalForm *each : forms)
    each->check(function, breaches);
  if (!breaches.empty())
    sortByPlace(function, breaches);
  return breaches;
}

/// The module that has the stage's sequence.
static mlir::OwningOpRef<mlir::ModuleOp> scriptOf(const NormalForm &form, unsigned stage, mlir::MLIRContext *context) {
  if (form.library)
    return mlir::ModuleOp(**form.library).clone();
  std::string text = "module attributes {transform.with_named_sequence} {\n" + form.normalizers[stage].text + "}\n";
  return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(context), "normalizer of " + form.name);
}

/// Runs the stage on all functions of the module.
static llvm::Error runStage(const NormalForm &form, unsigned stage, mlir::ModuleOp module) {
  DiagnosticCapture capture(*module.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> script = scriptOf(form, stage, module.getContext());
  auto sequence = script ? script->lookupSymbol<mlir::transform::TransformOpInterface>(form.normalizers[stage].name)
                         : mlir::transform::TransformOpInterface();
  llvm::SmallVector<mlir::FunctionOpInterface> functions;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  for (mlir::FunctionOpInterface function : functions)
    if (!sequence ||
        mlir::failed(mlir::transform::applyTransforms(function, sequence, {}, mlir::transform::TransformOptions(),
                                                      /*enforceToplevelTransformOp=*/false)))
      return fail("the normalizer of " + form.name + " does not run", capture.take());
  return llvm::Error::success();
}

/// The first breaches of all functions, as one Failure; success if there are none.
static llvm::Error breachesOf(const NormalForm &form, mlir::ModuleOp module) {
  std::vector<Diagnostic> diagnostics;
  module.walk([&](mlir::FunctionOpInterface function) {
    for (const FormBreach &breach : checkForm(form, function)) {
      SourcePosition position = positionOf(breach.op->getLoc());
      diagnostics.push_back(
          {.message = breach.why, .file = position.file, .line = position.line, .column = position.column});
    }
  });
  if (diagnostics.empty())
    return llvm::Error::success();
  std::string sentence = "normalization does not reach " + form.name + ": " + diagnostics.front().message;
  return fail(std::move(sentence), std::move(diagnostics));
}

llvm::Error normalizeTo(const NormalForm &form, mlir::ModuleOp module) {
  llvm::Error left = breachesOf(form, module);
  for (unsigned stage = 0; left && stage < form.normalizers.size(); ++stage) {
    llvm::consumeError(std::move(left));
    if (llvm::Error error = runStage(form, stage, module))
      return error;
    left = breachesOf(form, module);
  }
  return left;
}

} // namespace fuselage
