// A pipeline pass by pass: what each step did to the IR, recorded here or read from a tool's log.
#pragma once
#include "core/ir/Session.h"
#include "core/stepping/record/RecordedSteps.h"

namespace fuselage {

/// Runs and records. A pass that fails ends the recording with `failed` set on its step: that is a
/// result, not a Failure. Failure: the pipeline does not parse (names the pass and the nearest
/// pass names), or the schedule cannot be read, or it was cancelled. Passes run in a
/// pass manager each, with the verifier after each; a step counts as changed when its IR differs
/// in anything but locations. `input` is left as it is.
llvm::Expected<Recording> record(Session &session, mlir::ModuleOp input, const RecordOptions &options);

/// The step as clients see it.
message::Step<> messageOf(const Step &step, unsigned index);

} // namespace fuselage
