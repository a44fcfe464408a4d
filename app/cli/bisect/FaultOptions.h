// What `fuselage bisect` and `fuselage reduce` have in common: what they look for, the passes, and Ctrl-C.
#pragma once
#include "app/cli/Options.h"
#include "core/bisect/Blame.h"
#include "core/stepping/pipeline/PipelineText.h"

namespace fuselage::cli {

/// What is looked for, as the command line says it.
struct FaultArguments {
  BlameOptions blame{};
  std::string lostFusion{}, worse{};
  uint64_t draws = 3; ///< by default
};

/// --predicate, --lost-fusion, --worse, and what a program is run on.
void declareFault(Options &options, FaultArguments &wanted);
/// Fills in `blame`; a complaint, or an empty string.
std::string completeFault(FaultArguments &wanted);
/// How --predicate works, for the help of a command.
inline constexpr char kPredicateHelp[] =
    "--predicate judges by a command: it gets the IR as a file, by {} or as its last word, and ends with 0 where all "
    "is good, 125 where it cannot tell, and anything else where it is not. No shell runs.";

/// The single passes of the first steps of a recording. Failure: one is another compiler's, or of a schedule.
llvm::Expected<std::vector<PassUnit>> passesOf(const Recording &recording, unsigned steps, mlir::MLIRContext &context);

/// The options that load plugins, of the words of a command line.
std::vector<std::string> pluginOptions(llvm::ArrayRef<llvm::StringRef> words);

/// From here on Ctrl-C sets this; a second one ends the process.
std::atomic<bool> &stopOnCtrlC();
/// The exit code then, as of shells after SIGINT.
constexpr int kExitStopped = 130;

} // namespace fuselage::cli
