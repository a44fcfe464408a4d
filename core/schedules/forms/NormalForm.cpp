#include "core/schedules/forms/NormalForm.h"
#include "core/ir/module/Diagnostics.h"
#include "core/schedules/forms/Checkers.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Parser/Parser.h"

namespace fuselage {

static void checkNothing(mlir::FunctionOpInterface, std::vector<FormBreach> &) {}

// Bodies over %func. Patterns and CSE run until neither finds anything.
#define FUSELAGE_OP "!transform.any_op"
static constexpr llvm::StringLiteral kCanonicalize =
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n";
static constexpr llvm::StringLiteral kSimplifyLoops =
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.tiling_canonicalization\n"
    "  transform.apply_patterns.scf.for_loop_canonicalization\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n"
    "%loops = transform.structured.match interface{LoopLikeInterface} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.apply_licm to %loops : " FUSELAGE_OP "\n"
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.tiling_canonicalization\n"
    "  transform.apply_patterns.scf.for_loop_canonicalization\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n";
static constexpr llvm::StringLiteral kSink = "transform.fuselage.sink_into_loops %func : " FUSELAGE_OP "\n";
static constexpr llvm::StringLiteral kGeneralize =
    "%ops = transform.structured.match interface{LinalgOp} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "%generics = transform.structured.generalize %ops : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n";
static constexpr llvm::StringLiteral kSpecialize =
    "%generics = transform.structured.match ops{[\"linalg.generic\"]} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.foreach %generics : " FUSELAGE_OP " {\n"
    "^bb0(%generic: " FUSELAGE_OP "):\n"
    "  transform.sequence %generic : " FUSELAGE_OP " failures(suppress) {\n"
    "  ^bb0(%one: " FUSELAGE_OP "):\n"
    "    %named = transform.structured.specialize %one : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "  }\n"
    "}\n";
static constexpr llvm::StringLiteral kFoldUnitDims =
    "%ops = transform.structured.match interface{LinalgOp} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "%generics = transform.structured.generalize %ops : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n";
#undef FUSELAGE_OP

const std::vector<NormalForm> &normalForms() {
  static const std::vector<NormalForm> forms = {
      {"AnyForm", "Nothing is expected.", {}, checkNothing, {}},
      {"CanonicalForm", "Canonicalization and CSE have nothing to do.", {"AnyForm"}, checkCanonical, {kCanonicalize}},
      {"LoopForm",
       "Nothing in a loop is the same in every iteration, and loops and slices are as simple as MLIR makes them.",
       {"CanonicalForm"},
       checkLoops,
       {kSimplifyLoops, kSimplifyLoops}},
      {"PerfectForNestForm",
       "A scf.for that holds one scf.for holds nothing else, and hands on what is carried.",
       {"CanonicalForm"}, // what depends on the outer loop only is in the inner one, where LoopForm would not have it
       checkPerfectForNests,
       {kSimplifyLoops, kSink}},
      {"ForallNestForm",
       "A scf.forall that holds one scf.forall holds nothing else, and none is inside of a scf.for.",
       {"CanonicalForm"},
       checkForallNests,
       {kSimplifyLoops, kSink}},
      {"GeneralizedForm", "Every linalg op is a linalg.generic.", {"AnyForm"}, checkGeneralized, {kGeneralize}, "transform.structured.generalize"},
      {"NamedForm", "No linalg.generic is what a named op computes.", {"AnyForm"}, checkNamed, {kSpecialize}, "transform.structured.specialize"},
      {"UnitDimFreeForm", "No linalg op has a loop of one iteration.", {"AnyForm"}, checkUnitDimFree, {kFoldUnitDims, kFoldUnitDims}},
  };
  return forms;
}

const NormalForm *findForm(llvm::StringRef name) {
  for (const NormalForm &form : normalForms())
    if (form.name == name)
      return &form;
  return nullptr;
}

bool implies(const NormalForm &form, const NormalForm &other) {
  if (form.name == other.name)
    return true;
  return llvm::any_of(form.implies, [&](llvm::StringRef name) { return implies(*findForm(name), other); });
}

/// In program order; those of one op stay in the order of the forms.
static void sortByPlace(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  llvm::DenseMap<mlir::Operation *, size_t> places;
  function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { places.try_emplace(op, places.size()); });
  llvm::stable_sort(breaches, [&](const FormBreach &a, const FormBreach &b) { return places.lookup(a.op) < places.lookup(b.op); });
}

std::vector<FormBreach> checkForm(const NormalForm &form, mlir::FunctionOpInterface function) {
  std::vector<FormBreach> breaches;
  if (function.isExternal())
    return breaches;
  for (const NormalForm &each : normalForms())
    if (implies(form, each))
      each.check(function, breaches);
  if (!breaches.empty())
    sortByPlace(function, breaches);
  return breaches;
}

std::string normalizerName(const NormalForm &form, unsigned stage) {
  return "fuselage_normalize_to_" + form.name.str() + (stage ? "_" + std::to_string(stage + 1) : "");
}

std::string normalizerText(const NormalForm &form, unsigned stage) {
  // One function after the other: transform.structured.match takes a handle to a single op only.
  return "transform.named_sequence @" + normalizerName(form, stage) +
         "(%funcs: !transform.any_op {transform.readonly}) {\n"
         "transform.foreach %funcs : !transform.any_op {\n"
         "^bb0(%func: !transform.any_op):\n" +
         form.normalizers[stage].str() + "}\ntransform.yield\n}\n";
}

/// Runs the stage on all functions of the module.
static llvm::Error runStage(const NormalForm &form, unsigned stage, mlir::ModuleOp module) {
  std::string text = "module attributes {transform.with_named_sequence} {\n" + normalizerText(form, stage) + "}\n";
  DiagnosticCapture capture(*module.getContext());
  mlir::ParserConfig config(module.getContext());
  auto script = mlir::parseSourceString<mlir::ModuleOp>(text, config, "normalizer of " + form.name.str());
  auto sequence = script ? script->lookupSymbol<mlir::transform::TransformOpInterface>(normalizerName(form, stage))
                         : mlir::transform::TransformOpInterface();
  llvm::SmallVector<mlir::FunctionOpInterface> functions;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  for (mlir::FunctionOpInterface function : functions)
    if (!sequence || mlir::failed(mlir::transform::applyTransforms(function, sequence, {}, mlir::transform::TransformOptions(),
                                                                   /*enforceToplevelTransformOp=*/false)))
      return fail("the normalizer of " + form.name.str() + " does not run", capture.take());
  return llvm::Error::success();
}

/// The first breaches of all functions, as one Failure; success if there are none.
static llvm::Error breachesOf(const NormalForm &form, mlir::ModuleOp module) {
  std::vector<Diagnostic> diagnostics;
  module.walk([&](mlir::FunctionOpInterface function) {
    for (const FormBreach &breach : checkForm(form, function)) {
      SourcePosition position = positionOf(breach.op->getLoc());
      diagnostics.push_back({.message = breach.why, .file = position.file, .line = position.line, .column = position.column});
    }
  });
  if (diagnostics.empty())
    return llvm::Error::success();
  std::string sentence = "normalization does not reach " + form.name.str() + ": " + diagnostics.front().message;
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
