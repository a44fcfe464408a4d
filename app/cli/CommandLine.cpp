#include "app/cli/CommandLine.h"
#include "app/cli/Commands.h"
#include "core/deploy/EngineVersion.h"
#include "core/engine/TestPasses.h"
#include "core/registration/Registration.h"
#include "core/support/StandardOutput.h"
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
    {"graph", "write the dispatch graph: dot, svg, png, pdf, json, model-explorer", graphCommand, nullptr,
     /*isSupervised=*/true, /*usesPasses=*/false},
    {"step", "record a pipeline pass by pass, show what each pass did", stepCommand, stepsBefore},
    {"schedule", "run a transform-dialect script, show its handles at every line", scheduleCommand},
    {"run", "compile, run and check every dispatch on a device", runCommand},
    {"bundle", "write kernels, inputs and expected results for fuselage-launch", bundleCommand},
    {"tune", "find the fastest tile sizes, or values for the knobs of a schedule", tuneCommand},
    {"kernel", "print the kernels of a dispatch: SPIR-V, PTX, SASS, assembly", kernelCommand},
    {"explain", "say why ops are not fused, and what that costs", explainCommand},
    {"mesh", "show meshes of devices, how values lie on them, and collectives", meshCommand},
    {"remarks", "place the remarks of a compiler on the ops that they are about", remarksCommand},
    {"fuse", "fuse an edge, or every edge that pays off, and check the result", fuseCommand},
    {"buffers", "say why there are copies, how long buffers live, peak memory", buffersCommand},
    {"tiles", "show what a tile of an op touches, through every fused producer", tilesCommand},
    {"bisect", "find the step, and the rewrite in it, that made a program wrong", bisectCommand},
    {"patterns", "list the patterns that would apply to an op", patternsCommand},
    {"reduce", "cut a module and a pipeline down to the smallest that still fail", reduceCommand},
    {"compare", "compare the dispatches of two programs or compilers", compareCommand},
    {"devices", "list the devices that can run kernels here", devicesCommand, nullptr, /*isSupervised=*/true,
     /*usesPasses=*/false},
    {"passes", "list the passes and pipelines, those of plugins included", passesCommand},
    {"trace", "read a trace: our own, mlir-opt's or another tool's", traceCommand, nullptr, /*isSupervised=*/true,
     /*usesPasses=*/false},
    {"lesson", "list, read, print, check, start or grade lessons on tile-and-fuse", lessonCommand},
    {"serve", "run the engine: JSON-RPC over standard input and output", serveCommand, nullptr, /*isSupervised=*/false,
     /*usesPasses=*/false}, // it registers its own
    {"remote", "work on another machine: its engine, install it there, check, clean", remoteCommand, nullptr,
     /*isSupervised=*/false, /*usesPasses=*/false},
    {"lsp", "a language server for editors, over standard input and output", lspCommand, nullptr,
     /*isSupervised=*/false},
    {"mcp", "a server for chats (Model Context Protocol)", mcpCommand, nullptr, /*isSupervised=*/false,
     /*usesPasses=*/false},
};

void printHelp() {
  results() << "Fuselage: an explorer of tile-and-fuse for MLIR.\n\n"
               "usage: fuselage FILE              open the window\n"
               "       fuselage COMMAND ...       work without one\n\nCommands:\n";
  for (const Command &command : commands)
    results() << llvm::formatv("  {0,-10}{1}\n", command.name, command.summary);
  results() << "\nOptions:\n  --version   print the version of Fuselage and of MLIR\n  -h, --help  print this text; "
               "'fuselage COMMAND --help' lists the options of a command\n\n"
               "FILE is MLIR text or bytecode, portable artifacts of StableHLO included, a pass log, a\n"
               "directory of dumps, or, to look at and to compare, HLO text of XLA (--xla_dump_to); commands\n"
               "read standard input if it is -.\n"
               "Exit codes: 0 success, 1 an error in the input, 2 an error in the call.\n"
               "A command runs in a worker process. FUSELAGE_MEMORY limits its memory, in MiB (default: three\n"
               "quarters of the machine's, at most 16384). FUSELAGE_SUPERVISE=0 runs without it, for debuggers.\n";
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

static int dispatch(Arguments arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    printHelp();
    return arguments.empty() ? ExitUsage : ExitOk;
  }
  if (arguments[0] == "--version") {
    results() << engineVersion() << '\n';
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
  return openWindow(arguments);
}

int runCommandLine(Arguments arguments) { return endOfResults(dispatch(arguments)); }

} // namespace fuselage::cli
