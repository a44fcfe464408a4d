// From a dispatch on tensors to kernels, through the stepped pipeline's own passes.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/executable/CompiledDispatch.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace fuselage {

/// Sees a dispatch on its way to kernels. A path that comes to nothing is followed by another one, which begins anew.
struct CodegenWatcher {
  virtual ~CodegenWatcher() = default;
  /// As it goes into code generation, and as gpu.launch ops: what is lowered for a target then.
  virtual void begins(mlir::ModuleOp module) = 0;
  virtual void isMapped(mlir::ModuleOp module) = 0;
  /// Before each pass that works on the whole module, on the way from there to binaries.
  virtual void lowers(mlir::Pass &pass, mlir::ModuleOp module) = 0;
  virtual void isLowered(mlir::ModuleOp module) = 0;
  /// Whether that is all that is wanted: kernels have no binaries then, and nobody knows whether the target takes them.
  virtual bool endsWhenMapped() const { return false; }
};

/// Compiles `dispatch`, a function on statically shaped tensors outlined by
/// `fuselage-outline-dispatches`. Works on a copy. Tries the tuned path (tile, fuse, promote,
/// distribute, vectorize) and falls back to one plain kernel an op where that refuses; the reason
/// is reported as a remark on the op. Failure: the op and why neither path can express it.
llvm::Expected<CompiledDispatch> compileDispatch(mlir::func::FuncOp dispatch, const TargetOptions &options,
                                                 CodegenWatcher *watcher = nullptr);

/// Compiles `function`, on buffers, of which a schedule has made kernels: its gpu.launch ops, each one kernel, and what
/// else it does between them (copies, structured ops) as plain ones. Vectors are written out element by element. Works
/// on a copy. Failure: there is no launch, something that no kernel can be made of, or more than the device has.
llvm::Expected<CompiledDispatch> compileScheduled(mlir::func::FuncOp function, const TargetOptions &options);

/// What a program goes through before its dispatches are formed, recorded or run: elementwise ops on whole
/// tensors (`arith.addf %a, %b : tensor<4xf32>`) become the structured ops that dispatches are made of.
inline constexpr llvm::StringLiteral kCleanUp =
    "builtin.module(fuselage-decompose-composites{keep-fusable=true},canonicalize,"
    "convert-elementwise-to-linalg,cse)";
/// Dispatches, of what computes first, then of what only moves elements.
inline constexpr llvm::StringLiteral kFormDispatches =
    "builtin.module(func.func(fuselage-form-dispatches,fuselage-dispatch-moves))";
/// What dispatches go through before they are outlined and compiled: chains of elementwise ops become one op.
inline constexpr llvm::StringLiteral kFuseWithinDispatches =
    "builtin.module(func.func(fuselage-fuse-within-dispatches,canonicalize,fuselage-cse-dispatches))";

/// The textual pipeline from formed dispatches to kernels for a target, as the default recorded
/// pipeline lists it (one entry a teaching step; see core/stepping/pipeline/DefaultPipeline.h).
struct PipelineStep {
  std::string title;    ///< "Tile to workgroups"
  std::string pipeline; ///< "builtin.module(func.func(fuselage-tile-to-workgroups))"
  std::string teaches;  ///< a paragraph: what it does, why, what to look at (plain text)
};
std::vector<PipelineStep> codegenSteps(const TargetOptions &options);

/// Sizes that are known to be better on a device than those that the steps choose.
struct TunedSteps {
  TargetOptions target; ///< that device
  PipelineStep step;    ///< asks for them, before codegenSteps()
  std::string note;     ///< "2 of 3 dispatches have the sizes that were tuned on ..."
};

} // namespace fuselage
