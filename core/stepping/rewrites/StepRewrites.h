// The rewrites of a recorded step.
#pragma once
#include "core/protocol/Rewrites.h"
#include "core/stepping/rewrites/RewritePlayer.h"

namespace fuselage {

/// The IR after one rewrite of a step, as RewritePlayer shows it.
llvm::Expected<RewrittenModule> moduleAfter(const Step &step, const RewriteLog &log, unsigned rewrite);

/// The step without a rewrite, or without a pattern: what it would leave. Failure: the rewrite is of a kind that cannot
/// be left out (only patterns and folds can), or the step fails without it.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> runWithout(const Step &step, const RewriteLog &log, unsigned rewrite,
                                                             bool wholePattern);

/// The pipeline that makes of the IR before the step what runWithout() does, which takes the same rewrites.
std::string pipelineWithout(const Step &step, const RewriteLog &log, unsigned rewrite, bool wholePattern);

/// Where an op came from, "model.mlir:35"; empty: nobody knows.
std::string sourceOf(const RewriteOp &op);
/// "FoldX on arith.addf in @main"; of what is no pattern, its kind.
std::string describeRewrite(const RewriteLog &log, const Rewrite &rewrite);

message::StepRewrites<> messageOf(const RewriteLog &log, unsigned step);
/// Of an op by its index in the log.
message::OpRewrites<> messageOfOp(const RewriteLog &log, unsigned op);

/// A table of the rewrites that are listed, and one of the patterns. `lineOf`: the line of an op in the IR before the
/// step, from 1; 0: none is shown.
std::string rewritesText(const RewriteLog &log, llvm::function_ref<bool(unsigned rewrite)> isListed,
                         llvm::function_ref<unsigned(int64_t)> lineOf);
/// What was tried on an op, and what it went through.
std::string opText(const RewriteLog &log, unsigned op, llvm::function_ref<unsigned(int64_t)> lineOf);

} // namespace fuselage
