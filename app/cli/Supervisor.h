// A command runs in a process of its own, so that its death is a sentence.
#pragma once
#include "app/cli/Activity.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage::cli {

/// How a worker died, and of what.
struct WorkerDeath {
  std::string sentence; ///< all of it, for stderr
  std::string how;      ///< "crashed with signal 11 (Segmentation fault)", "took more than 16384 MiB of memory"
  Activity activity;
};

/// Runs `work` in a forked worker, waits for it, and returns its exit code. A worker that dies is one sentence on
/// stderr that names `command`, what it was doing and how it died, and ExitInputError; where it died in a step of a
/// recording, `afterStep`, if given, runs in a second worker instead, to show the steps before. To be called before
/// the process has threads.
///  - A worker that a file kills while nothing has come out yet is followed by a second one, which reads with care
///    (RepeatableScope).
///  - What the worker says on the standard error comes out printable (Console.h). Where it takes long, what it is at is
///    said: on a terminal from 2 s on, in one line; elsewhere after 30 s, a minute, two and so on.
///  - The worker writes no core and is killed with its supervisor, whatever kills that.
///  - It may use three quarters of the machine's memory or of its control group's, at most 16 GiB; FUSELAGE_MEMORY
///    sets another bound, in MiB. Resident memory counts: drivers of devices reserve address space without measure.
///  - Signals of the terminal reach both; what only reached the supervisor is passed on, and it dies by the same.
///    A worker that goes on for 5 s after one is killed.
/// With FUSELAGE_SUPERVISE=0 `work` runs in this process, for debuggers.
int supervise(llvm::StringRef command, llvm::function_ref<int()> work,
              llvm::function_ref<int(const WorkerDeath &)> afterStep = nullptr);

/// Ends a worker, with all that it holds: of large modules the system gives memory back faster than destructors do.
/// Returns in other processes.
void endWorker(int exitCode);

} // namespace fuselage::cli
