#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/normalize/Requirements.h"
#include "core/schedules/ops/FormDialect.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/schedules/trace/ApplyHooks.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace fuselage {
namespace {

/// The form and what it implies.
void addImplied(const NormalForm &form, FormColumn::Forms &forms) {
  if (forms.insert(&form))
    for (const NormalForm *implied : form.implies)
      addImplied(*implied, forms);
}

/// Whether the op applies canonicalization and, if `alone`, nothing else, and CSE, until nothing changes any more.
bool canonicalizes(mlir::Operation *op, bool alone) {
  auto patterns = mlir::dyn_cast<mlir::transform::ApplyPatternsOp>(op);
  if (!patterns || patterns.getPatterns().empty())
    return false;
  auto isCanonicalization = llvm::IsaPred<mlir::transform::ApplyCanonicalizationPatternsOp>;
  auto &ops = patterns.getPatterns().front();
  return alone ? llvm::all_of(ops, isCanonicalization)
               : patterns.getApplyCse() && llvm::any_of(ops, isCanonicalization);
}

/// The form that a normalizer of that name brings functions into.
const NormalForm *formOfNormalizer(const FormSet &forms, llvm::StringRef name) {
  for (const NormalForm *form : forms.all())
    for (const Normalizer &normalizer : form->normalizers)
      if (normalizer.name == name)
        return form;
  return nullptr;
}

} // namespace

TraceOptions FormColumn::watching(TraceOptions options) {
  known_.clear();
  open_.clear();
  byLine_.clear();
  broken_.clear();
  options.mayRun = [this, before = std::move(options.mayRun)](Op op, const State &state) {
    bool may = !before || before(op, state);
    willRun(op, state);
    return may;
  };
  options.didRun = [this, before = std::move(options.didRun)](Op op, bool succeeded, const State &state) {
    if (before)
      before(op, succeeded, state);
    didRun(op, succeeded, state);
  };
  return options;
}

void FormColumn::learn(mlir::FunctionOpInterface function, const NormalForm &form) {
  addImplied(form, known_[function]);
}

void FormColumn::willRun(Op op, const State &state) {
  open_.push_back({functionsOfOperands(op, state), {}});
  auto &[functions, targets] = open_.back();
  for (mlir::Operation *target : targetsOf(op, state))
    if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(target))
      targets.push_back(function);
  claim(op, functions.empty() && !known_.empty() ? functionsIn(state.getTopLevel()) : functions);
}

/// What is known of all of these functions is known before the op's line this time.
void FormColumn::claim(Op op, const Functions &functions) {
  bool isEnd = mlir::isa<mlir::transform::PositionOp>(op.getOperation());
  int number = script_.numberOf(isEnd ? op->getBlock()->getTerminator() : op.getOperation());
  if (number < 0 || size_t(number) >= opCount_ || script_.ops[number].line == 0 ||
      script_.ops[number].file != script_.path)
    return;
  Forms all;
  for (auto [index, function] : llvm::enumerate(functions)) {
    Forms known = known_.lookup(function);
    if (index == 0)
      all = std::move(known);
    else
      all.remove_if([&](const NormalForm *form) { return !known.contains(form); });
  }
  auto [line, isNew] = byLine_.try_emplace(script_.ops[number].line, all);
  line->second.remove_if([&](const NormalForm *form) { return !all.contains(form); });
}

void FormColumn::didRun(Op op, bool succeeded, const State &state) {
  if (open_.empty())
    return;
  auto [functions, targets] = std::move(open_.back());
  open_.pop_back();
  if (mlir::isa<mlir::transform::IncludeOp>(op.getOperation())) {
    if (succeeded)
      checkIncluded(op, functions, state);
    return;
  }
  if (onlyApplies(op))
    return;
  if (auto check = mlir::dyn_cast<mlir::transform::CheckFormOp>(op.getOperation())) {
    if (const NormalForm *form = script_.forms.find(check.getForm()); form && succeeded)
      for (mlir::FunctionOpInterface function : functions)
        learn(function, *form);
    return;
  }
  if (auto cast = mlir::dyn_cast<mlir::transform::CastOp>(op.getOperation()))
    learnFromType(cast.getOutput().getType(), succeeded ? functions : Functions());
  if (!mlir::transform::doesModifyPayload(op))
    return;
  if (succeeded && formRule(op->getName().getStringRef()) && !functions.empty())
    apply(op, functions, targets);
  else
    known_.clear();
}

/// A handle of that type has passed the check.
void FormColumn::learnFromType(mlir::Type type, const Functions &functions) {
  auto normalized = mlir::dyn_cast<NormalizedOpType>(type);
  if (auto form = normalized ? mlir::dyn_cast<FormAttr>(normalized.getForm()) : FormAttr())
    for (mlir::FunctionOpInterface function : functions)
      learn(function, *findForm(form.getName()));
}

/// What a named sequence says it ensures, or normalizes to, is checked: the first is a promise.
void FormColumn::checkIncluded(Op include, const Functions &functions, const State &state) {
  mlir::SymbolRefAttr target = mlir::cast<mlir::transform::IncludeOp>(include.getOperation()).getTarget();
  mlir::Operation *callee = mlir::SymbolTable::lookupNearestSymbolFrom(include, target);
  auto ensured = callee ? callee->getAttrOfType<mlir::StringAttr>("fuselage.ensures") : mlir::StringAttr();
  const NormalForm *form =
      ensured ? script_.forms.find(ensured) : formOfNormalizer(script_.forms, target.getLeafReference());
  if (!form)
    return;
  Functions there = functionsIn(state.getTopLevel()); // some may be gone
  for (mlir::FunctionOpInterface function : functions) {
    if (!llvm::is_contained(there, function))
      continue;
    std::vector<FormBreach> breaches = checkForm(*form, function);
    if (breaches.empty()) {
      learn(function, *form);
    } else if (ensured) {
      SourcePosition at = positionOf(include->getLoc());
      broken_.push_back({.severity = Diagnostic::Severity::Warning,
                         .message = "@" + target.getLeafReference().str() + " says that it ensures " + form->name +
                                    ", which @" + function.getName().str() + " is not in: " + breaches.front().why,
                         .file = at.file,
                         .line = at.line,
                         .column = at.column});
    }
  }
}

/// What is known after a transform that has a rule.
void FormColumn::apply(Op op, const Functions &functions, const Functions &targets) {
  const FormRule &rule = *formRule(op->getName().getStringRef());
  for (mlir::FunctionOpInterface function : functions) {
    Forms &known = known_[function];
    const NormalForm *canonical = findForm("CanonicalForm");
    if (canonicalizes(op, /*alone=*/true) && known.contains(canonical))
      continue; // nothing changed
    Forms kept;
    for (llvm::StringRef name : rule.keeps)
      if (const NormalForm *form = findForm(name); known.contains(form))
        addImplied(*form, kept);
    known = std::move(kept);
  }
  for (mlir::FunctionOpInterface function : targets) {
    for (llvm::StringRef name : rule.leaves)
      learn(function, *findForm(name));
    if (canonicalizes(op, /*alone=*/false))
      learn(function, *findForm("CanonicalForm"));
  }
}

std::vector<message::LineForms<>> FormColumn::lines() const {
  std::vector<message::LineForms<>> lines;
  for (const auto &[number, forms] : byLine_) {
    message::LineForms<> &line = lines.emplace_back();
    line.line = static_cast<int>(number);
    for (const NormalForm *form : forms)
      if (llvm::none_of(forms, [&](const NormalForm *other) { return other != form && implies(*other, *form); }))
        line.forms.push_back(form->name);
    llvm::sort(line.forms);
    if (line.forms.empty())
      line.forms.push_back("AnyForm");
  }
  return lines;
}

} // namespace fuselage
