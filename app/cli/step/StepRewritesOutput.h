// 'fuselage step --rewrites': what happened inside of steps.
#pragma once
#include "core/stepping/record/RecordedSteps.h"
#include <optional>
#include <string>

namespace fuselage::cli {

struct RewriteArguments {
  bool list = false;                    ///< --rewrites
  std::optional<unsigned> rewrite;      ///< --rewrite: the IR after this one of a step
  std::string op;                       ///< --op: a line, the name of an op, or a function
  std::vector<std::string> breakpoints; ///< --break: lists the rewrites alone that one of these stops at
  bool any() const { return list || rewrite || !op.empty(); }
};

/// What is asked of a step, or of all where `at` is none. Failure: no such step, rewrite or op.
llvm::Expected<std::string> rewritesOutput(const Recording &recording, std::optional<unsigned> at,
                                           const RewriteArguments &wanted, bool json);

/// The IR after rewrite `wanted.rewrite` of a step, or before it.
llvm::Expected<std::string> rewrittenText(const Recording &recording, unsigned at, unsigned rewrite, bool before);

} // namespace fuselage::cli
