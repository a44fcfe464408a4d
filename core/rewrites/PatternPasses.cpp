// fuselage-apply-pattern and fuselage-without-pattern.
#include "core/ir/module/Diagnostics.h"
#include "core/rewrites/Passes.h"
#include "core/rewrites/PatternOffers.h"
#include "core/rewrites/RewriteWatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_APPLYPATTERNPASS
#define GEN_PASS_DEF_WITHOUTPATTERNPASS
#include "core/rewrites/Passes.h.inc"

namespace {

/// Dialects are loaded before any pass runs: also those of passes that a pass runs.
void addDialectsOf(const std::string &passes, mlir::DialectRegistry &registry) {
  mlir::OpPassManager manager(mlir::ModuleOp::getOperationName(), mlir::OpPassManager::Nesting::Implicit);
  if (mlir::succeeded(mlir::parsePassPipeline(passes, manager, llvm::nulls())))
    manager.getDependentDialects(registry);
}

struct ApplyPatternPass : impl::ApplyPatternPassBase<ApplyPatternPass> {
  using ApplyPatternPassBase::ApplyPatternPassBase;

  std::string passesText() const { return passes.empty() ? "canonicalize" : llvm::join(passes, ","); }
  void getDependentDialects(mlir::DialectRegistry &registry) const override { addDialectsOf(passesText(), registry); }

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    auto after = applyPattern(module, op, passesText(), pattern);
    if (!after) {
      module.emitError() << "fuselage-apply-pattern: " << takeFailure(after.takeError()).message;
      return signalPassFailure();
    }
    module.getBodyRegion().takeBody((*after)->getBodyRegion());
    module->setAttrs((*after)->getOperation()->getAttrs());
  }
};

struct WithoutPatternPass : impl::WithoutPatternPassBase<WithoutPatternPass> {
  using WithoutPatternPassBase::WithoutPatternPassBase;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    addDialectsOf(llvm::join(passes, ","), registry);
  }

  RewriteSkips skips() const {
    RewriteSkips skips;
    if (op < 0)
      skips.patterns.push_back(pattern);
    else if (pattern == kFoldPattern)
      skips.foldsOfOps.push_back(unsigned(op));
    else
      skips.patternsOnOps.emplace_back(pattern, unsigned(op));
    return skips;
  }

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    if (llvm::Error error = run(module)) {
      module.emitError() << "fuselage-without-pattern: " << takeFailure(std::move(error)).message;
      signalPassFailure();
    }
  }

  llvm::Error run(mlir::ModuleOp module) {
    if (passes.empty() || pattern.empty())
      return fail("give 'passes', and 'pattern', the one of them to leave out");
    if (op < 0 && pattern == kFoldPattern)
      return fail("folds are left out on one op only; give 'op'");
    mlir::PassManager manager(module.getContext());
    if (llvm::Error error = readPasses(llvm::join(passes, ","), manager))
      return error;
    const RewriteSkips skipped = skips();
    // Whoever watches this step sees what the passes do.
    std::optional<RewriteWatch> own;
    RewriteWatch *watch = RewriteWatch::current();
    if (!watch || !watch->watches(module))
      watch = &own.emplace(module);
    manager.addInstrumentation(tellPasses(*watch));
    const RewriteSkips *before = watch->skip(&skipped);
    const bool ok = mlir::succeeded(manager.run(module));
    watch->skip(before);
    return ok ? llvm::Error::success() : fail("the passes fail");
  }
};

} // namespace
} // namespace fuselage
