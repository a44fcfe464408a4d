// Compares what a dispatch gave with what the host computes from the same inputs.
#pragma once
#include "core/runtime/run/DispatchRunner.h"
#include "core/runtime/values/Compare.h"

namespace fuselage {

/// Recomputes dispatches on the host, from the values that they really got. Equal dispatches are compiled
/// once.
class DispatchChecker {
public:
  DispatchChecker(Device *device, const RunOptions &options);
  ~DispatchChecker();

  /// Sets the checks of the reports of `run`.
  llvm::Error check(mlir::func::FuncOp dispatch, llvm::ArrayRef<RuntimeValue> arguments, DispatchRun &run);

private:
  struct Known;
  llvm::Expected<Known *> compile(mlir::func::FuncOp dispatch);

  Device *device_;
  const RunOptions &options_;
  std::vector<std::unique_ptr<Known>> known_;
  llvm::DenseMap<mlir::Operation *, Known *> knownOf_;
};

/// For each value, whether it holds infinities that somebody gave.
llvm::SmallVector<bool> holdInfinities(llvm::ArrayRef<HostTensor> values);

} // namespace fuselage
