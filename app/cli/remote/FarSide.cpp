// fuselage remote check, clean: the engines on another machine.
#include "app/cli/remote/FarSide.h"
#include "app/cli/remote/RemoteCommands.h"
#include "core/deploy/InstalledEngines.h"
#include "core/support/StandardOutput.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

void declareFarSide(Options &options, FarSide &side) {
  options.text("command", "COMMAND", "reaches the other machine: 'ssh gpu1', 'docker exec -i box sh -c'", side.command);
  options.choice("format", {"text", "json"}, "for people, or JSON (default: text)", side.format);
}

static llvm::Expected<FarShell> farShellOf(const FarSide &side) {
  if (side.command.empty())
    return fail("--command COMMAND says how to reach the other machine, as --command 'ssh gpu1'");
  return FarShell::of(side.command);
}

int onFarSide(Options &options, Arguments arguments, const FarSide &side,
              llvm::function_ref<int(const FarShell &)> act) {
  if (auto code = options.parse(arguments))
    return *code;
  auto shell = farShellOf(side);
  return shell ? act(*shell) : reportFailure(shell.takeError());
}

static int sayState(const FarShell &shell, bool isJson) {
  auto state = checkFar(shell);
  if (!state)
    return reportFailure(state.takeError());
  if (isJson)
    results() << llvm::formatv("{0:2}\n", state->json());
  else
    results() << state->text();
  return state->hasEngine() || state->hasEngineOnPath() ? ExitOk : ExitInputError;
}

int remoteCheck(Arguments arguments) {
  FarSide side;
  Options options(
      "remote check", "",
      "Says which machine is on the other side of COMMAND, where engines are kept there, which there are, and "
      "whether that of this build can be installed. Exit code 1: there is none that would be used.");
  declareFarSide(options, side);
  options.example("fuselage remote check --command 'ssh gpu1'");
  return onFarSide(options, arguments, side,
                   [&](const FarShell &shell) { return sayState(shell, side.format == "json"); });
}

static int clean(const FarShell &shell, bool isJson) {
  auto cleaned = cleanFar(shell);
  if (!cleaned)
    return reportFailure(cleaned.takeError());
  if (isJson) {
    results() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(llvm::json::Object{{"removed", llvm::json::Array(cleaned->removed)},
                                                        {"in_use", llvm::json::Array(cleaned->inUse)},
                                                        {"problems", llvm::json::Array(cleaned->problems)}}));
  } else {
    for (const std::string &id : cleaned->removed)
      results() << "removed   " << id << '\n';
    for (const std::string &id : cleaned->inUse)
      results() << "in use    " << id << '\n';
    for (const std::string &problem : cleaned->problems)
      results() << "problem   " << problem << '\n';
    if (cleaned->removed.empty() && cleaned->inUse.empty() && cleaned->problems.empty())
      results() << "There is no engine of another build.\n";
  }
  return cleaned->problems.empty() ? ExitOk : ExitInputError;
}

int remoteClean(Arguments arguments) {
  FarSide side;
  Options options(
      "remote clean", "",
      "Removes the engines of other builds, and copies that were not completed, from the cache folder on the "
      "other side of COMMAND. The engine of this build stays, and so do those that a process there runs.");
  declareFarSide(options, side);
  options.example("fuselage remote clean --command 'ssh gpu1'");
  return onFarSide(options, arguments, side,
                   [&](const FarShell &shell) { return clean(shell, side.format == "json"); });
}

} // namespace fuselage::cli
