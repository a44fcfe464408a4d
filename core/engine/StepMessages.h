// A recorded step as clients see it.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/Steps.h"

namespace fuselage {

/// The step, its diagnostics with the op and line they lie on in the snapshot before it.
message::Step<> stepMessage(Document &document, unsigned step);
std::vector<message::Step<>> stepMessages(Document &document);

/// The recording, how many of its steps a new recording leaves alone, and how many fusions can be undone and
/// done again.
message::FusionHistory<> historyMessage(Document &document);

/// `rows` and what else step/diff says of two texts; runs of equal lines are one row of kind 4.
llvm::json::Object diffToJSON(const TextDiff &diff, const PrintedModule &left, const PrintedModule &right);
llvm::json::Object diffToJSON(llvm::StringRef left, llvm::StringRef right);

} // namespace fuselage
