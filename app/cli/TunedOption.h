// The tuning library that a command reads.
#pragma once
#include "app/cli/Options.h"
#include "core/tuning/library/TunedLibrary.h"

namespace fuselage::cli {

/// `--tuned FILE|none`; `path` is the default library's then, where there is a home for one.
void declareTuned(Options &options, std::string &path, std::string help);

/// What the library at `path` has; null for "none" and "". Failure: it is damaged; where that is the default one, a
/// warning.
llvm::Expected<std::unique_ptr<tune::TunedDispatches>> openTuned(const std::string &path);

} // namespace fuselage::cli
