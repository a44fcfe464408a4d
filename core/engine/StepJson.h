// A recorded step as clients see it.
#pragma once
#include "core/engine/Document.h"

namespace fuselage {

/// The step, its diagnostics with the op and line they lie on in the snapshot before it.
llvm::json::Value stepToJSON(Document &document, unsigned step);
llvm::json::Array stepsToJSON(Document &document);

/// {steps, kept, undo, redo}: the recording, how many of its steps a new recording leaves alone, and how
/// many fusions can be undone and done again.
llvm::json::Object historyToJSON(Document &document);

} // namespace fuselage
