#include "core/rewrites/ActionWatch.h"
#include "core/rewrites/OpNumbers.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/Unit.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace fuselage {

/// The pattern of an Action: it keeps that to itself, and prints it.
static std::string patternOf(const mlir::tracing::Action &action) {
  std::string text;
  llvm::raw_string_ostream os(text);
  action.print(os);
  return llvm::StringRef(text).split("pattern: ").second.str();
}

/// The name of the innermost function or other symbol around an op; empty: none.
static std::string functionOf(mlir::Operation *op) {
  for (; op; op = op->getParentOp())
    if (mlir::StringAttr name = symbolOf(op))
      return name.str();
  return "";
}

ActionWatch::ActionWatch(mlir::MLIRContext &context) : context_(context) {
  context.registerActionHandler([this](llvm::function_ref<void()> act, const mlir::tracing::Action &action) {
    if (llvm::isa<mlir::ApplyPatternAction>(action) && !action.getContextIRUnits().empty())
      if (auto *op = llvm::dyn_cast_if_present<mlir::Operation *>(action.getContextIRUnits().front()))
        note(patternOf(action), op);
    act();
  });
}

ActionWatch::~ActionWatch() { context_.registerActionHandler(nullptr); }

void ActionWatch::note(llvm::StringRef pattern, mlir::Operation *op) {
  auto [known, isNew] = patternIndices_.try_emplace(pattern, patterns_.size());
  if (isNew)
    patterns_.push_back(pattern.str());
  attempts_.push_back({.pattern = known->second, .op = op->getName(), .function = functionOf(op)});
}

void ActionWatch::addTo(RewriteLog &log) {
  log.resultsAreKnown = false;
  log.attempts.clear();
  log.patterns.clear();
  for (const std::string &name : patterns_)
    log.patterns.push_back({.name = name});
  // One op of the log for all of a name in a function.
  std::map<std::pair<llvm::StringRef, std::string>, unsigned> ops;
  std::map<std::string, unsigned> functions;
  for (auto [index, name] : llvm::enumerate(log.functions))
    functions.try_emplace(name, index);
  for (Attempt &attempt : attempts_) {
    auto [function, isNewFunction] = functions.try_emplace(attempt.function, log.functions.size());
    if (isNewFunction)
      log.functions.push_back(attempt.function);
    auto [op, isNewOp] = ops.try_emplace({attempt.op.getStringRef(), attempt.function}, log.ops.size());
    if (isNewOp)
      log.ops.push_back(
          {.name = attempt.op, .location = mlir::UnknownLoc::get(&context_), .function = function->second});
    log.attempts.push_back({.pattern = attempt.pattern, .op = op->second, .outcome = PatternAttempt::Outcome::Unknown});
    ++log.patterns[attempt.pattern].attempts;
  }
}

} // namespace fuselage
