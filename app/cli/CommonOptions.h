// Options that several commands have: --load-pass-plugin and --load-dialect-plugin, --trace.
#pragma once
#include "app/cli/Options.h"
#include "core/plugins/Plugins.h"

namespace fuselage::cli {

/// Declares the two for plugins, for all commands that read modules or run passes; they are spelled as in mlir-opt.
/// Plugins are loaded when all options are parsed, in their order; one that cannot be loaded ends the command with a
/// sentence and ExitInputError.
void declarePlugins(Options &options);

/// The same, and --load-plugin, for the engine: what is asked for goes to `requests`, and nothing is loaded.
void declarePluginRequests(Options &options, std::vector<PluginRequest> &requests);

/// Declares --trace OUT.json: what a command was at, and for how long. The file is written when the command ends, also
/// with an error; a command that crashes leaves none.
void declareTrace(Options &options);

} // namespace fuselage::cli
