// A pass-by-pass log as a recorded pipeline.
#pragma once
#include "core/stepping/dumps/DumpLog.h"
#include "core/stepping/record/Recording.h"

namespace fuselage {

/// The dumps of a log as steps, none of them parsed yet; `session` reads them when they are looked at
/// and outlives the recording.
///
/// Which dump is before a step: the one that its pass's `Before` header printed, where the log
/// has it. Else the latest dump of the same op; where a module around the op was dumped later, the op
/// in that one (cut out of it); where ops inside of it were dumped later, the latest dump with these in
/// their places (a module before a pass on the module, after passes on its functions). Dumps of one
/// op are recognised by its name and symbol, those of modules without a name by the ops in them.
/// A pass whose result was not dumped (logs of --mlir-print-ir-before-all) leads to the next `Before`
/// dump of its op. Steps whose two sides are alike share one snapshot and count as unchanged; so does
/// a pass that LLVM's printer says it was "omitted because no change".
///
/// Lines of other origin become diagnostics of the step that ran when they were printed, as far as the
/// order of the log tells.
Recording readTimeline(Session &session, DumpLog log);

/// DumpLog::open and readTimeline.
llvm::Expected<Recording> openTimeline(Session &session, llvm::StringRef path,
                                       const DumpLog::Cancelled &cancelled = {});

} // namespace fuselage
