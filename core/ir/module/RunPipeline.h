// Running passes on a module, with errors as values.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/Twine.h"

namespace fuselage {

/// Makes `passes` those of a textual pipeline, "builtin.module(...)". Failure: it does not parse.
llvm::Error readPipeline(llvm::StringRef text, mlir::PassManager &passes);

/// Runs passes on `op`, in place. Failure: one of them fails, and `op` is of no use any more; its message is
/// `failure`, and what MLIR says comes with it. What MLIR says where nothing fails is added to `said`, if given.
llvm::Error runPasses(mlir::PassManager &passes, mlir::Operation *op, const llvm::Twine &failure,
                      std::vector<Diagnostic> *said = nullptr);

/// Runs a textual pipeline on `module`. Failure: it does not parse, or a pass fails.
llvm::Error runPipeline(mlir::ModuleOp module, llvm::StringRef text, const llvm::Twine &failure = "the pipeline failed",
                        std::vector<Diagnostic> *said = nullptr);

} // namespace fuselage
