#include "core/rewrites/PatternOffers.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/VerifySafely.h"
#include "core/ir/ops/ValueNames.h"
#include "core/rewrites/PatternProbe.h"
#include "core/rewrites/RewriteWatch.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {
namespace {

/// Notes why a pattern declines, and whether it changed anything.
class TrialListener : public mlir::RewriterBase::Listener {
public:
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override { changed = true; }
  void notifyOperationModified(mlir::Operation *) override { changed = true; }
  void notifyOperationReplaced(mlir::Operation *, mlir::ValueRange) override { changed = true; }
  void notifyOperationErased(mlir::Operation *) override { changed = true; }
  void notifyMatchFailure(mlir::Location location, llvm::function_ref<void(mlir::Diagnostic &)> describe) override {
    mlir::Diagnostic diagnostic(location, mlir::DiagnosticSeverity::Remark);
    describe(diagnostic);
    reason += (reason.empty() ? "" : "; ") + diagnostic.str();
  }

  bool changed = false;
  std::string reason;
};

/// Tries patterns one by one on copies of a module.
class Trials {
public:
  Trials(mlir::ModuleOp module, int64_t op, llvm::StringRef only) : module_(module), number_(op), only_(only) {}

  void tryAll(llvm::StringRef pass, const mlir::FrozenRewritePatternSet &patterns, bool folds) {
    if (folds && isWanted(pass, kFoldPattern) && !op()->hasTrait<mlir::OpTrait::ConstantLike>())
      settle(pass, kFoldPattern, {}, mlir::succeeded(mlir::OperationFolder(module_.getContext()).tryToFold(op())));
    for (const mlir::RewritePattern *pattern : patternsFor(patterns)) {
      if (!isWanted(pass, pattern->getDebugName()))
        continue;
      TrialListener listener;
      mlir::PatternRewriter rewriter(module_.getContext());
      rewriter.setListener(&listener);
      rewriter.setInsertionPoint(op());
      const bool applied = mlir::succeeded(pattern->matchAndRewrite(op(), rewriter));
      settle(pass, pattern->getDebugName(), std::move(listener.reason), applied);
      if (listener.changed) // against the rules, if it declined
        copy_ = nullptr;
    }
  }

  std::vector<PatternOffer> take() { return std::move(offers_); }

private:
  /// The op in the copy at hand.
  mlir::Operation *op() {
    if (copy_)
      return op_;
    copy_ = module_.clone();
    return op_ = opNumbered(*copy_, number_);
  }

  /// Those for ops of this name, the most beneficial first, as a driver has them.
  std::vector<const mlir::RewritePattern *> patternsFor(const mlir::FrozenRewritePatternSet &patterns) {
    std::vector<const mlir::RewritePattern *> found;
    auto known = patterns.getOpSpecificNativePatterns().find(op()->getName());
    if (known != patterns.getOpSpecificNativePatterns().end())
      llvm::append_range(found, known->second);
    for (const mlir::RewritePattern &pattern : patterns.getMatchAnyOpNativePatterns())
      found.push_back(&pattern);
    llvm::stable_sort(found, [](auto *one, auto *other) { return one->getBenefit() > other->getBenefit(); });
    return found;
  }

  bool isWanted(llvm::StringRef pass, llvm::StringRef pattern) {
    if (!only_.empty() && (isFound_ || (pattern != only_ && shortPatternName(pattern) != only_)))
      return false;
    return tried_.insert((pass + "\n" + pattern).str()).second; // a driver may run often
  }

  void settle(llvm::StringRef pass, llvm::StringRef pattern, std::string reason, bool applied) {
    offers_.push_back({.pass = pass.str(), .pattern = pattern.str(), .reason = std::move(reason)});
    if (!applied)
      return;
    isFound_ = true;
    PatternOffer &offer = offers_.back();
    offer.reason.clear();
    offer.after = std::move(copy_);
    leaveNamesToValues(*offer.after);
    DiagnosticCapture capture(*module_.getContext());
    if (mlir::succeeded(verifySafely(*offer.after)))
      return;
    std::vector<Diagnostic> said = capture.take();
    offer.problem = said.empty() ? "the module does not verify" : said.front().message;
  }

  mlir::ModuleOp module_;
  int64_t number_;
  llvm::StringRef only_;
  bool isFound_ = false;
  mlir::OwningOpRef<mlir::ModuleOp> copy_;
  mlir::Operation *op_ = nullptr;
  llvm::StringSet<> tried_;
  std::vector<PatternOffer> offers_;
};

} // namespace

llvm::Error readPasses(llvm::StringRef text, mlir::PassManager &passes) {
  if (text.trim().starts_with("builtin.module("))
    return readPipeline(text, passes);
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  static_cast<mlir::OpPassManager &>(passes) =
      mlir::OpPassManager(mlir::ModuleOp::getOperationName(), mlir::OpPassManager::Nesting::Implicit);
  if (mlir::failed(mlir::parsePassPipeline(text, passes, os)))
    return fail("the passes '" + text.str() + "' do not parse: " + complaint);
  return llvm::Error::success();
}

std::string optionText(llvm::StringRef pattern) {
  return pattern.find_first_of(" ,{}()<>") == llvm::StringRef::npos ? pattern.str() : '"' + pattern.str() + '"';
}

mlir::Operation *opNumbered(mlir::ModuleOp module, int64_t number) {
  mlir::Operation *found = nullptr;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (number-- != 0)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

static int64_t opCount(mlir::ModuleOp module) {
  int64_t count = 0;
  module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

llvm::Expected<std::vector<PatternOffer>> offersOf(mlir::ModuleOp module, int64_t op, llvm::StringRef passes,
                                                   llvm::StringRef only) {
  if (!RewriteWatch::works())
    return fail("this build of MLIR does not tell of patterns: its library was linked with -Bsymbolic");
  if (!opNumbered(module, op))
    return fail("there is no op " + std::to_string(op) + "; those of the module are 0 to " +
                std::to_string(opCount(module) - 1));
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  if (llvm::Error error = readPasses(passes, manager))
    return error;
  Trials trials(module, op, only);
  PatternProbe probe([&](llvm::StringRef pass, const mlir::FrozenRewritePatternSet &patterns, bool folds) {
    trials.tryAll(pass, patterns, folds);
  });
  manager.addInstrumentation(probe.tellPasses());
  mlir::OwningOpRef<mlir::ModuleOp> stage(module.clone());
  DiagnosticCapture capture(*module.getContext());
  for (mlir::ModuleOp split : splitModules(*stage))
    (void)manager.run(split); // it may well fail where its drivers do nothing
  return trials.take();
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> applyPattern(mlir::ModuleOp module, int64_t op,
                                                               llvm::StringRef passes, llvm::StringRef pattern) {
  auto offers = offersOf(module, op, passes, pattern);
  if (!offers)
    return offers.takeError();
  if (offers->empty())
    return fail("'" + passes.str() + "' has no pattern '" + pattern.str() + "' for op " + std::to_string(op));
  auto offer = llvm::find_if(*offers, [](const PatternOffer &offer) { return offer.applies(); });
  if (offer == offers->end())
    return fail("'" + pattern.str() + "' does not apply to op " + std::to_string(op) + ": " +
                (offers->front().reason.empty() ? "it gave no reason" : offers->front().reason));
  if (!offer->problem.empty())
    return fail("after '" + pattern.str() + "' the module does not verify: " + offer->problem);
  return std::move(offer->after);
}

} // namespace fuselage
