// Every dispatch's code as files.
#pragma once
#include "core/kernels/KernelCode.h"
#include "core/run/Run.h"

namespace fuselage::cli {

/// Writes the code of each dispatch that `run` would run into `folder`, for what it runs on. A file of ours (one that
/// an earlier dump wrote, by the list that it keeps there) is replaced; another one of such a name is left, and is a
/// Failure before anything is written. A dispatch that cannot be compiled is told of on stderr.
llvm::Error dumpKernels(mlir::ModuleOp module, const RunOptions &run, llvm::StringRef folder);

} // namespace fuselage::cli
