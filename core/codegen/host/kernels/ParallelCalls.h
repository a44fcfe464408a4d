// Calls of compiled code that several threads carry out.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace fuselage {

/// A function of the module whose first two arguments say which tasks to do, and the call that stands for all of them.
struct ParallelCall {
  std::string tasks; ///< @tasks(begin, end, ...)
  std::string all;   ///< @all(...), without a body until `expandParallelCalls`
  int64_t count = 1, portion = 1;

  /// Whether there is more than one thread can take at once.
  bool isShared() const { return count > portion; }
};

/// What `@all` calls: void(HostTasks, context, count, portion).
inline constexpr llvm::StringLiteral kRunTasks = "fuselage_host_run_tasks";

/// In place, on LLVM's dialect: each `all` packs its arguments and calls kRunTasks with a function that unpacks them.
void expandParallelCalls(mlir::ModuleOp module, const std::vector<ParallelCall> &calls);

} // namespace fuselage
