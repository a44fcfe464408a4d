// Running pipelines of unlock passes on modules, and counting what is left to dispatch.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

struct FusionPolicy;

/// Runs a textual pipeline ("builtin.module(...)") on each module that passes run on (see
/// splitModules), in place. Failure: it does not parse, a pass fails, or what the passes leave does not verify; the
/// module is then of no use. `verifies`: once, what they have changed.
llvm::Error runFusionPipeline(mlir::ModuleOp module, llvm::StringRef pipeline, bool verifies = true);

/// Tells states of a module apart; large data is not looked at.
uint64_t fingerprintOf(mlir::ModuleOp module);

/// The pipeline that runs passes, separated by commas, on every function.
std::string functionPipeline(llvm::StringRef passes);

/// Whether any dispatch is formed in the module.
bool hasDispatchRegions(mlir::ModuleOp module);

/// Forms dispatches by the policy where some stand already, so that all of a function is judged alike.
/// Functions without dispatches are left to the planner, unless `everywhere`: what the planner merges into one op
/// counts less than what is formed, so that a module without dispatches is compared with one that has some as if they
/// were formed in both. Goes by the policy's name, as parsed from text.
llvm::Error completeDispatches(mlir::ModuleOp module, const FusionPolicy &policy, bool everywhere = false);

/// How many dispatches the module has or, where none are formed, would have by the policy. Forms them
/// in `module` where some stand already.
llvm::Expected<unsigned> countFusedDispatches(mlir::ModuleOp module, const FusionPolicy &policy);

} // namespace fuselage
