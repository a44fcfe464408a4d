// Writes the engine as a folder.
#pragma once
#include "core/deploy/EngineImage.h"

namespace fuselage {

/// Makes `folder`, which must not exist yet, with all files of the image and their MANIFEST. It is written beside its
/// place and renamed. Failure: it is there already, or cannot be written.
llvm::Error packEngine(const EngineImage &image, llvm::StringRef folder);

} // namespace fuselage
