#include "app/cli/CommandLine.h"
#include "app/cli/Commands.h"
#include "core/engine/TestPasses.h"
#include "core/registration/Registration.h"
#include "core/support/StandardOutput.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {
namespace {

struct Command {
  llvm::StringRef name, summary;
  int (*run)(Arguments);
  /// Shows what there was before the step that killed `run`; may be null.
  int (*afterStep)(Arguments, const WorkerDeath &) = nullptr;
  bool isSupervised = true;
  bool usesPasses = true; ///< they are registered before, which takes some 3 ms
};

constexpr Command commands[] = {
    {"graph", "write the dispatch graph: dot, svg, png, pdf, json", graphCommand, nullptr, /*isSupervised=*/true,
     /*usesPasses=*/false},
    {"step", "record a pipeline pass by pass, show what each did", stepCommand, stepsBefore},
    {"schedule", "run a transform-dialect script, see its handles at every line", scheduleCommand},
    {"run", "compile, run and check every dispatch on a device", runCommand},
    {"tune", "find the values that a schedule leaves open, on a device", tuneCommand},
    {"kernel", "the code of a dispatch's kernels: SPIR-V, PTX, SASS, assembly", kernelCommand},
    {"explain", "why ops are not fused, and what that costs", explainCommand},
    {"fuse", "fuse an edge, or all that pays, and check the result", fuseCommand},
    {"buffers", "why there are copies, how long buffers live, peak memory", buffersCommand},
    {"tiles", "what a tile of an op touches, through every fused producer", tilesCommand},
    {"compare", "two programs' dispatches side by side: ours, another compiler's", compareCommand},
    {"devices", "list what can run kernels here", devicesCommand, nullptr, /*isSupervised=*/true, /*usesPasses=*/false},
    {"serve", "the engine, JSON-RPC over stdin and stdout", serveCommand, nullptr, /*isSupervised=*/false,
     /*usesPasses=*/false}, // it registers its own
};

void printHelp() {
  results() << "Fuselage: an explorer of tile-and-fuse for MLIR.\n\n"
               "usage: fuselage FILE              open the window\n"
               "       fuselage COMMAND ...       work without one\n\nCommands:\n";
  for (const Command &command : commands)
    results() << llvm::formatv("  {0,-10}{1}\n", command.name, command.summary);
  results() << "\nOptions:\n  --version   the version of Fuselage and of MLIR\n  -h, --help  this text; "
               "'fuselage COMMAND --help' tells a command's options\n\n"
               "FILE is MLIR text or bytecode, a pass-by-pass log, or a directory of dumps;\n"
               "- is standard input for the commands.\n"
               "Exit codes: 0 fine, 1 something is wrong with the input, 2 something is wrong with the call.\n"
               "A command runs in a process of its own: FUSELAGE_MEMORY bounds its memory, in MiB (default:\n"
               "three quarters of the machine's, at most 16384); FUSELAGE_SUPERVISE=0 is for debuggers.\n";
}

/// Runs it in a process of its own.
int call(const Command &command, Arguments arguments) {
  if (command.usesPasses) {
    registerAllPasses();
    registerTestPasses();
  }
  if (!command.isSupervised)
    return command.run(arguments);
  auto run = [&] { return command.run(arguments); };
  auto afterStep = [&](const WorkerDeath &death) { return command.afterStep(arguments, death); };
  return command.afterStep ? supervise(command.name, run, afterStep) : supervise(command.name, run);
}

/// Whether a lone word was meant as a command rather than as a file.
std::optional<std::string> misspeltCommand(llvm::StringRef word) {
  if (word.contains('.') || word.contains('/'))
    return std::nullopt;
  std::vector<std::string> names;
  for (const Command &command : commands)
    names.push_back(command.name.str());
  return nearestName(word, names);
}
} // namespace

static int dispatch(const char *programPath, Arguments arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    printHelp();
    return arguments.empty() ? ExitUsage : ExitOk;
  }
  if (arguments[0] == "--version") {
    results() << "fuselage " FUSELAGE_VERSION " (MLIR " LLVM_VERSION_STRING ")\n";
    return ExitOk;
  }
  Arguments rest = llvm::ArrayRef(arguments).drop_front();
  for (const Command &command : commands)
    if (arguments[0] == command.name)
      return call(command, rest);
  if (auto command = misspeltCommand(arguments[0]))
    return usageError("", "unknown command '" + arguments[0].str() + "'; did you mean '" + *command + "'?");
  if (arguments[0].starts_with("-") && arguments[0] != "-")
    return usageError("", "unknown option '" + arguments[0].str() + "'");
  return openWindow(programPath, arguments);
}

int runCommandLine(const char *programPath, Arguments arguments) {
  return endOfResults(dispatch(programPath, arguments));
}

} // namespace fuselage::cli
