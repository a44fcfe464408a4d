// Reads text that MLIR's parser refuses: unknown dialects, other versions, broken and partial modules.
#pragma once
#include "core/ir/reading/TolerantResult.h"
#include "core/ir/source/SourceScan.h"
#include "core/ir/source/SourceText.h"

namespace fuselage {

/// Reads one split. How:
///  1. The scan finds the ops and namespaces. Brackets without a partner are removed or added, unknown
///     dialects are loaded as tolerant ones, old text is put into today's words, ops that today's
///     dialects lack go to their tolerant twins (ReadPlan.h).
///  2. MLIR parses that. At its first error all ops from there on are tried one by one (OpTriage.h):
///     those that cannot be read as they stand become today's words, twins or gaps.
///  3. Values that nobody defines get a definition (StandIns.h); if they are used outside of functions,
///     the text is a fragment, and its ops are put into a function.
///  4. What then still fails is about ops together (types that differ): the op at the error is demoted,
///     after the third of a name all of that name, after many the function, in the end it is a gap.
///  5. The verifier runs; ops that it refuses are demoted, too.
/// An op that is known to kill MLIR is a gap from the start.
/// So the number of parses is bounded by a constant, whatever the text (TolerantResult has both counts).
/// An error or a demotion is an Error in a file of MLIR as of today, demotions are Warnings in others
/// (`isForeign`).
TolerantResult readTolerantly(mlir::MLIRContext &context, llvm::StringRef file, const SourceSplit &split,
                              const SourceScan &scan, const TolerantOptions &options);

} // namespace fuselage
