// A recorded step as clients see it.
#pragma once
#include "core/engine/Document.h"

namespace fuselage {

/// The step, its diagnostics with the op and line they lie on in the snapshot before it.
llvm::json::Value stepToJSON(Document &document, unsigned step);

} // namespace fuselage
