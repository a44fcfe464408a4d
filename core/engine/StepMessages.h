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

} // namespace fuselage
