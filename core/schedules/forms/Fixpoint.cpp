#include "core/schedules/forms/Fixpoint.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/IrFingerprint.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
namespace {

using namespace mlir;

/// Collects the ops of the original that are changed, replaced or erased in the copy.
class TouchedOps : public RewriterBase::Listener {
public:
  explicit TouchedOps(const IRMapping &mapping) {
    for (auto [original, copy] : mapping.getOperationMap())
      originals_[copy] = original;
  }
  void notifyOperationModified(Operation *op) override { touch(op); }
  void notifyOperationReplaced(Operation *op, Operation *) override { touch(op); }
  void notifyOperationReplaced(Operation *op, ValueRange) override { touch(op); }
  void notifyOperationErased(Operation *op) override {
    touch(op);
    originals_.erase(op); // the address may come again
  }
  ArrayRef<Operation *> touched() const { return touched_.getArrayRef(); }

private:
  void touch(Operation *op) {
    if (Operation *original = originals_.lookup(op))
      touched_.insert(original);
  }
  llvm::DenseMap<Operation *, Operation *> originals_;
  llvm::SetVector<Operation *> touched_;
};

} // namespace

void addCanonicalization(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(patterns, context);
}

void findRewrites(FunctionOpInterface function, RewritePatternSet patterns, StringRef what,
                  std::vector<FormBreach> &breaches) {
  // What is in a place of its own cannot see other symbols; calls stay as they are.
  OpBuilder builder(function.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, function.getLoc());
  IRMapping mapping;
  builder.setInsertionPointToStart(module->getBody());
  Operation *copy = builder.clone(*function, mapping);
  uint64_t before = fingerprint(copy).hash;
  DiagnosticCapture quiet(*function.getContext());
  TouchedOps touched(mapping);
  GreedyRewriteConfig config;
  config.setListener(&touched);
  (void)applyPatternsGreedily(copy, FrozenRewritePatternSet(std::move(patterns)), config);
  IRRewriter rewriter(function.getContext(), &touched);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, copy);
  if (fingerprint(copy).hash == before)
    return; // what was touched came out the same
  for (Operation *op : touched.touched())
    breaches.push_back({op, what.str() + " changes '" + op->getName().getStringRef().str() + "'"});
  if (touched.touched().empty())
    breaches.push_back({function, what.str() + " changes the order of ops"});
}

} // namespace fuselage
