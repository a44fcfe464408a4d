// The recording as one page that works offline. Internal to core/stepping.
#pragma once
#include "core/protocol/Notes.h"
#include "core/stepping/record/Recording.h"
#include "core/stepping/report/StepRange.h"

namespace fuselage {

/// report.html with the steps of the range in it, as far as they fit.
std::string renderHtml(const Recording &recording, llvm::StringRef inputName, llvm::StringRef what, StepRange range,
                       const std::vector<message::Note<>> &notes = {});

} // namespace fuselage
