// What of a program the host runs on one thread.
#pragma once
#include "core/codegen/host/kernels/ParallelCalls.h"
#include "core/ir/module/Diagnostics.h"

namespace fuselage {

/// Work that no other thread shares.
struct OneThreadWork {
  std::string
      op; ///< a loop's name, a structured op's, or that of the first vector op of a block; "a copy", "a single task"
  SourcePosition place{};
};

/// All of it in functions on memrefs, in their order, where `calls` of functions of tasks stand for what threads share.
/// Loops around such calls are none.
std::vector<OneThreadWork> workOnOneThread(mlir::ModuleOp module, llvm::ArrayRef<ParallelCall> calls);

} // namespace fuselage
