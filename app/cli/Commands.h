// The commands of `fuselage`; each takes the arguments behind its name and returns an exit code.
#pragma once
#include "app/cli/Options.h"
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
int buffersCommand(Arguments arguments);
int explainCommand(Arguments arguments);
int fuseCommand(Arguments arguments);
int scheduleCommand(Arguments arguments);
int tuneCommand(Arguments arguments);
int tilesCommand(Arguments arguments);
int compareCommand(Arguments arguments);
int devicesCommand(Arguments arguments);
int serveCommand(Arguments arguments);

/// `fuselage FILE`: becomes fuselage-gui, found next to `programPath` or on PATH.
int openWindow(const char *programPath, Arguments arguments);

/// Prints a failure and its diagnostics, with carets, on stderr, and what was held back; returns ExitInputError.
int reportFailure(llvm::Error error);

/// Prints the errors of what reading said, and holds back what else it said, so that an error that comes yet is read
/// first. True if there is an Error.
bool sayErrors(std::vector<Diagnostic> diagnostics);
/// Holds back one thing more.
void hold(Diagnostic diagnostic);
/// Prints what was held back: at the latest in front of results, and when a command ends.
void sayHeld();

/// Writes what is left of the results: the exit code of a command that ends with `code`, or, where they could not all
/// be written, ExitInputError, with a sentence.
int endOfResults(int code);

} // namespace fuselage::cli
