// What the unfused input computes on the host.
#pragma once
#include "core/runtime/run/Run.h"
#include "core/runtime/values/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

struct ReferenceResults {
  std::vector<HostTensor> outputs;
  /// Not empty: they depend on memory that nobody wrote, and how; it held zeros here.
  std::string uninitialised{};
};

/// Runs a function on the host: dispatches inlined, nothing fused. `module` is consumed.
llvm::Expected<ReferenceResults> runReference(mlir::OwningOpRef<mlir::ModuleOp> module,
                                              mlir::func::FuncOp function,
                                              llvm::ArrayRef<HostTensor> arguments,
                                              const RunOptions &options);

} // namespace fuselage
