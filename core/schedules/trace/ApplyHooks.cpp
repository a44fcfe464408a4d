#include "core/schedules/trace/ApplyHooks.h"
#include "core/ir/module/ConvertDiagnostic.h"
#include "core/ir/module/Diagnostics.h"
#include "core/trace/TraceLog.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/RWMutex.h"

namespace fuselage {
namespace {

using mlir::transform::TransformOpInterface;
using Concept = TransformOpInterface::Concept;
using Apply = decltype(Concept::apply);

/// What `apply` was before, by the interface's table of functions. Each context has tables of its own; engines of
/// several contexts may run at once.
struct OriginalApplies {
  llvm::sys::SmartRWMutex<true> mutex;
  llvm::DenseMap<const Concept *, Apply> byConcept;
};

OriginalApplies &originals() {
  static OriginalApplies instance;
  return instance;
}

/// Keeps what rewrites say of why they do not match, which the interpreter's own listener drops.
class ReasonListener : public mlir::RewriterBase::ForwardingListener {
public:
  explicit ReasonListener(mlir::transform::TransformRewriter &rewriter)
      : ForwardingListener(rewriter.getListener()), rewriter_(rewriter), previous_(rewriter.getListener()) {
    rewriter.setListener(this);
  }
  ~ReasonListener() override { rewriter_.setListener(previous_); }

  void notifyMatchFailure(mlir::Location location, llvm::function_ref<void(mlir::Diagnostic &)> say) override {
    ForwardingListener::notifyMatchFailure(location, say);
    constexpr size_t most = 8; // of a walk over many ops
    if (reasons.size() >= most)
      return;
    mlir::Diagnostic reason(location, mlir::DiagnosticSeverity::Note);
    say(reason);
    if (!reason.str().empty())
      reasons.push_back(convertDiagnostic(reason));
  }

  std::vector<Diagnostic> reasons;

private:
  mlir::transform::TransformRewriter &rewriter_;
  mlir::OpBuilder::Listener *previous_;
};

mlir::DiagnosedSilenceableFailure observedApply(const Concept *concept_, mlir::Operation *op,
                                                mlir::transform::TransformRewriter &rewriter,
                                                mlir::transform::TransformResults &results,
                                                mlir::transform::TransformState &state) {
  Apply original;
  {
    llvm::sys::SmartScopedReader<true> lock(originals().mutex);
    original = originals().byConcept.lookup(concept_);
  }
  auto *extension = state.getExtension<ObserverExtension>();
  if (!extension)
    return original(concept_, op, rewriter, results, state);
  auto transform = mlir::cast<TransformOpInterface>(op);
  if (!extension->observer.willApply(transform, state))
    return mlir::DiagnosedSilenceableFailure::definiteFailure();
  ReasonListener listener(rewriter);
  TraceScope scope("schedule", op->getName().getStringRef());
  if (scope)
    scope.arg("at", formatPosition(positionOf(op->getLoc())));
  mlir::DiagnosedSilenceableFailure result = original(concept_, op, rewriter, results, state);
  extension->observer.didApply(transform, result, state, listener.reasons);
  return result;
}

} // namespace

void hookApplications(mlir::Operation *script) {
  llvm::sys::SmartScopedWriter<true> lock(originals().mutex);
  script->walk([](mlir::Operation *op) {
    Concept *table = op->getName().getInterface<TransformOpInterface>();
    if (!table || table->apply == observedApply)
      return;
    originals().byConcept[table] = table->apply; // an address may be an old context's: the newer one is right
    table->apply = observedApply;
  });
}

bool onlyApplies(mlir::Operation *op) {
  return mlir::isa<mlir::transform::NamedSequenceOp, mlir::transform::SequenceOp, mlir::transform::ForeachOp,
                   mlir::transform::IncludeOp, mlir::transform::ForeachMatchOp>(op);
}

} // namespace fuselage
