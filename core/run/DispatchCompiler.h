// From a dispatch to code for a device, whatever the device is.
#pragma once
#include "core/codegen/host/kernels/OneThreadWork.h"
#include "core/executable/CompiledDispatch.h"
#include "core/run/RunOptions.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

struct Compilation {
  CompiledDispatch dispatch;
  std::vector<Diagnostic> remarks{};        ///< what compilers say, at places in the source
  std::vector<OneThreadWork> onOneThread{}; ///< what the other threads of the host have no part in
};

/// Compilers of a kind of device. Options outlive the object. Its functions may be called on several threads, each with
/// functions of a context of its own.
class DispatchCompiler {
public:
  virtual ~DispatchCompiler() = default;
  /// By the default pipeline. Failure: it cannot be expressed as code for the device.
  virtual llvm::Expected<Compilation> compile(mlir::func::FuncOp dispatch) const = 0;
  /// What a schedule made of a function: on a GPU its launches, on the host its parallel loops, or the dispatches that
  /// it formed as kernels. Failure: as above, or it is nothing of that.
  virtual llvm::Expected<Compilation> compileScheduled(mlir::func::FuncOp function) const = 0;

  static std::unique_ptr<DispatchCompiler> of(const Device &device, const RunOptions &options);
  /// For a device that need not be here.
  static std::unique_ptr<DispatchCompiler> of(TargetOptions target, const RunOptions &options);
};

} // namespace fuselage
