// The recording as one page that works offline. Internal to core/stepping.
#pragma once
#include "core/stepping/Recording.h"

namespace fuselage {

/// report.html with the recording in it.
std::string renderHtml(const Recording &recording, llvm::StringRef inputName,
                       llvm::StringRef what);

} // namespace fuselage
