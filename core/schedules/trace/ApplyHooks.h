// Being told of every application of a transform op, nested ones and failed ones included.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

/// Who watches one run of the transform interpreter. The interpreter calls a transform op's `apply` from the `apply`
/// of the op around it, so that calls nest as frames do.
class ApplyObserver {
public:
  virtual ~ApplyObserver() = default;
  /// Before `op`; its operands and all that is in scope are mapped in `state`. False: the op does not run, and the
  /// schedule ends here.
  virtual bool willApply(mlir::transform::TransformOpInterface op, mlir::transform::TransformState &state) = 0;
  /// After it. `result` is what the op gives to the op around it, which may well silence it; it stays as it is.
  /// `reasons` is what the rewrites that the op tried said of why they do not match.
  virtual void didApply(mlir::transform::TransformOpInterface op, mlir::DiagnosedSilenceableFailure &result,
                        mlir::transform::TransformState &state, llvm::ArrayRef<Diagnostic> reasons) = 0;
};

/// Whether the op changes the payload only by what it applies, which is watched as well.
bool onlyApplies(mlir::Operation *op);

/// Makes every application of an op that is as one in `script` ask the state for an ObserverExtension. MLIR has no
/// hook for this: the entry of `apply` in the interface of the registered op is wrapped by one of ours, once for a
/// context and for good. Without the extension in the state nothing else happens.
void hookApplications(mlir::Operation *script);

/// Where a run's state carries its observer, which outlives the state.
class ObserverExtension : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ObserverExtension)
  ObserverExtension(mlir::transform::TransformState &state, ApplyObserver &observer)
      : Extension(state), observer(observer) {}
  ApplyObserver &observer;
};

} // namespace fuselage
