// Compiles dispatches for a device, once each, and launches them with a clock.
#pragma once
#include "core/runtime/HostJit.h"
#include "core/runtime/RuntimeValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// What one call of a dispatch gave; the reports lack only the comparison.
struct DispatchRun {
  std::vector<RuntimeValue> results;
  std::vector<KernelReport> reports;
};

/// Runs dispatch functions. Dispatches that are equal but for their name are compiled once.
class DispatchRunner {
public:
  /// `device` null: everything runs on the host. References outlive the object.
  DispatchRunner(Device *device, const RunOptions &options, std::vector<Diagnostic> &remarks);
  ~DispatchRunner();

  /// Launches with warm-up and repeats. A dispatch that the device cannot take runs on the host.
  llvm::Expected<DispatchRun> run(mlir::func::FuncOp dispatch,
                                  llvm::ArrayRef<RuntimeValue> arguments);

private:
  struct Prepared;
  llvm::Expected<Prepared *> prepare(mlir::func::FuncOp dispatch);
  llvm::Error prepareForDevice(mlir::func::FuncOp dispatch, Prepared &prepared);
  llvm::Expected<DispatchRun> runOnDevice(mlir::func::FuncOp dispatch, Prepared &prepared,
                                          llvm::ArrayRef<RuntimeValue> arguments);
  llvm::Expected<DispatchRun> runOnHost(mlir::func::FuncOp dispatch, Prepared &prepared,
                                        llvm::ArrayRef<RuntimeValue> arguments);
  bool cancelled() const { return options_.cancelled && options_.cancelled->load(); }

  Device *device_;
  const RunOptions &options_;
  std::vector<Diagnostic> &remarks_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
};

} // namespace fuselage
