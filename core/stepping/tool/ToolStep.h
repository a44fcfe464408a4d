// A tool as one step of a pipeline.
#pragma once
#include "core/ir/Session.h"
#include "core/stepping/tool/ToolCommand.h"
#include <atomic>

namespace fuselage {

struct ToolStepOptions {
  const std::atomic<bool> *cancelled = nullptr;
  bool takesSignals = false; ///< see runTool()
  std::string directory{};   ///< where it works; empty: where we do
};

/// Runs a tool on a module: it reads the module as text and prints another one. Failure: it cannot be started, ends
/// badly, or what it prints cannot be read.
llvm::Expected<ReadResult> runToolStep(Session &session, mlir::ModuleOp module, const ToolCommand &command,
                                       const ToolStepOptions &options);

} // namespace fuselage
