// What the unfused input computes on the host: its results, and the value of every dispatch result.
#pragma once
#include "core/runtime/HostTensor.h"
#include "core/runtime/Run.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>

namespace fuselage {

/// A result of an op of the unfused function: the op's mark, and which of its results.
using ReferenceKey = std::pair<int64_t, unsigned>;

/// Marks every op of `function` with a number, which survives while passes keep the op.
void markOps(mlir::func::FuncOp function);
/// Takes the marks off again.
void unmarkOps(mlir::Operation *root);
/// The key of a value that a marked op computes; nullopt where no mark has survived.
std::optional<ReferenceKey> referenceKeyOf(mlir::Value value);

struct ReferenceResults {
  std::vector<HostTensor> outputs;
  /// Values of the keys asked for, as far as they exist when the function returns.
  std::map<ReferenceKey, HostTensor> values;
  /// Not empty: they depend on memory that nobody wrote, and how; it held zeros here.
  std::string uninitialised{};
};

/// Runs a marked function on the host: dispatches inlined, nothing fused. `module` is consumed.
llvm::Expected<ReferenceResults> runReference(mlir::OwningOpRef<mlir::ModuleOp> module,
                                              mlir::func::FuncOp function,
                                              llvm::ArrayRef<ReferenceKey> keys,
                                              llvm::ArrayRef<HostTensor> arguments,
                                              const RunOptions &options);

} // namespace fuselage
