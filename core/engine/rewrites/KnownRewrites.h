// The rewrites of a document's steps.
#pragma once
#include "core/engine/Document.h"
#include "core/rewrites/Rewrites.h"

namespace fuselage {

/// Those of a step, by running it once more unless that was done lately. Failure: no such step, or another program ran
/// it.
llvm::Expected<std::shared_ptr<const RewriteLog>> knownRewrites(Document &document, int64_t step);

} // namespace fuselage
