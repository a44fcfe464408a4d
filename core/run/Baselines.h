// What is measured beside the dispatches of a run.
#pragma once
#include "core/run/Run.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// Called while a run goes on, on its thread and never while something of it is launched. What cannot be measured is
/// left out, and the run goes on. (peaks/RunBaselines.h has the one that there is; the runner does not know it, so
/// that it can run kernels by itself.)
class Baselines {
public:
  virtual ~Baselines() = default;
  /// Before the first dispatch.
  virtual void begin(mlir::MLIRContext &context, Device &device, const RunOptions &options) = 0;
  /// Around the launches of a dispatch, once each time that it is run; `after` is given its rows.
  virtual void before(mlir::func::FuncOp dispatch) = 0;
  virtual void after(mlir::func::FuncOp dispatch, std::vector<KernelReport> &rows) = 0;
  /// After the last dispatch.
  virtual void end(RunReport &report) = 0;
};

} // namespace fuselage
