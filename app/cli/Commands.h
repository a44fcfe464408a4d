// The commands of `fuselage`; each takes the arguments after its name and returns an exit code.
#pragma once
#include "app/cli/Options.h"
#include "app/cli/Output.h"
#include "app/cli/Supervisor.h"
#include "core/support/Error.h"

namespace fuselage::cli {

using Arguments = llvm::ArrayRef<llvm::StringRef>;

int graphCommand(Arguments arguments);
int stepCommand(Arguments arguments);
/// stepCommand of a recording that a step of killed: shows the steps before, and that one as failed.
int stepsBefore(Arguments arguments, const WorkerDeath &death);
int kernelCommand(Arguments arguments);
int runCommand(Arguments arguments);
int bisectCommand(Arguments arguments);
int patternsCommand(Arguments arguments);
int reduceCommand(Arguments arguments);
int bundleCommand(Arguments arguments);
int buffersCommand(Arguments arguments);
int explainCommand(Arguments arguments);
int meshCommand(Arguments arguments);
int remarksCommand(Arguments arguments);
int fuseCommand(Arguments arguments);
int scheduleCommand(Arguments arguments);
int tuneCommand(Arguments arguments);
int tilesCommand(Arguments arguments);
int compareCommand(Arguments arguments);
int devicesCommand(Arguments arguments);
int traceCommand(Arguments arguments);
int passesCommand(Arguments arguments);
int lessonCommand(Arguments arguments);
int serveCommand(Arguments arguments);
int remoteCommand(Arguments arguments);
int lspCommand(Arguments arguments);
int mcpCommand(Arguments arguments);

int remoteCommand(Arguments arguments);

/// `fuselage FILE`: becomes fuselage-gui, found next to this program or on PATH.
int openWindow(Arguments arguments);

} // namespace fuselage::cli
