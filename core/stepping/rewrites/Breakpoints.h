// Where to stop among the rewrites of a recording.
#pragma once
#include "core/stepping/record/RecordedSteps.h"

namespace fuselage {

/// Whether a breakpoint stops at a rewrite. It is the name of a pattern (short or whole), of a kind ("fold"), of an op
/// that the rewrite matches, inserts, erases or modifies ("linalg.generic"), "@function", or "model.mlir:35" for ops
/// that came from there; ":35" is that of any file.
bool stopsAt(const RewriteLog &log, unsigned rewrite, llvm::StringRef breakpoint);

/// The rewrite that a breakpoint stops at.
struct RewriteStop {
  unsigned step = 0, rewrite = 0;
  std::string breakpoint;
};

struct StopSearch {
  std::vector<std::string> breakpoints;
  unsigned step = 0; ///< where to begin
  /// Of that step, and passed over; none: the search begins with all of the step.
  std::optional<unsigned> rewrite{};
  bool backwards = false;
  const std::atomic<bool> *cancelled = nullptr;
};

/// The next stop of a recording, or the one before; nullopt: there is none. Steps that another program ran are passed
/// over. `logOf` lists the rewrites of a step. Failure: it cannot, or it was cancelled.
llvm::Expected<std::optional<RewriteStop>>
findStop(const Recording &recording, const StopSearch &search,
         llvm::function_ref<llvm::Expected<std::shared_ptr<const RewriteLog>>(unsigned step)> logOf);

} // namespace fuselage
