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

/// On the declaration of `all`: what it stands for.
inline constexpr llvm::StringLiteral kTasksAttr = "fuselage.tasks";
/// Sets it.
void describeTasks(mlir::ModuleOp module, const ParallelCall &call);

/// In place, on LLVM's dialect: each declaration with kTasksAttr packs its arguments and calls host::kRunTasks with a
/// function that unpacks them.
void expandParallelCalls(mlir::ModuleOp module);

} // namespace fuselage
