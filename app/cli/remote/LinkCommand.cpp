// fuselage remote --command: an engine on another machine, as `fuselage serve` is one here.
#include "app/cli/remote/RemoteCommands.h"
#include "core/deploy/EngineId.h"
#include "core/deploy/EngineVersion.h"
#include "core/remote/far/FarCommand.h"
#include "core/remote/near/RemoteServer.h"
#include "core/support/ShellWords.h"
#include "core/support/StandardOutput.h"
#include "core/support/process/Process.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::cli {

static int runFar(const std::string &text) {
  auto options = remote::decodeFarOptions(text);
  return options ? remote::runFarSide(*options, ownProgram()) : reportFailure(options.takeError());
}

static int runNear(const std::string &command, const std::string &name, uint64_t silence,
                   const remote::FarOptions &far) {
  auto words = splitShellWords(command);
  if (!words)
    return reportFailure(words.takeError());
  if (words->empty())
    return usageError("remote",
                      "--command is missing: it says how to reach the other machine, as --command 'ssh gpu1'");
  return remote::serveRemote(/*in=*/0, /*out=*/1,
                             {.command = std::move(*words),
                              .host = name.empty() ? command : name,
                              .engineId = engineId(),
                              .engineVersion = engineVersion(),
                              .far = far,
                              .silence = std::chrono::seconds(silence)});
}

int remoteLink(Arguments arguments) {
  std::string command, name, farText;
  uint64_t keepMinutes = 10, cacheGigabytes = 20, silence = 8;
  bool printsId = false;
  Options options(
      "remote", "[ACTION]",
      "Speaks the protocol of `fuselage serve` for an engine on another machine. COMMAND, such as 'ssh gpu1', "
      "takes one more argument, a line that a shell there runs. Files that requests name are sent there, and "
      "those that are written come back. The engine lives on while the link is down. What follows -- goes "
      "to `fuselage serve` there. ACTION is something else, with options of its own: check (which machine "
      "and which engines are there), install (copy this engine into the user's cache there), clean (remove "
      "those of other builds) or pack (write this engine as a folder that starts on other machines).");
  options.text("command", "COMMAND", "reaches the other machine: 'ssh gpu1', 'docker exec -i box sh -c'", command);
  options.text("name", "NAME", "what messages call the machine (default: COMMAND)", name);
  options.number("keep", "minutes without a link, after which the engine there ends (default: 10)", keepMinutes, 1,
                 10'000);
  options.number("cache", "GiB of files that are kept there (default: 20)", cacheGigabytes, 1, 100'000);
  options.number("silence", "seconds without a byte, after which a link counts as dead (default: 8)", silence, 1, 3600);
  options.flag("engine-id", "print the name of this build, which is that of its folder there", printsId);
  options.text("far", "TEXT", "the other end, as COMMAND starts it", farText);
  options.example("fuselage remote check --command 'ssh gpu1'");
  options.example("fuselage remote install --command 'ssh gpu1'");
  options.example("fuselage remote --command 'ssh gpu1'");
  const auto *end = llvm::find(arguments, "--");
  if (auto code = options.parse(arguments.take_front(static_cast<size_t>(end - arguments.begin()))))
    return *code;
  if (printsId) {
    results() << engineId() << '\n';
    return ExitOk;
  }
  if (!farText.empty())
    return runFar(farText);
  remote::FarOptions far{.session = ""};
  constexpr unsigned secondsInMinute = 60, gigabyteBits = 30;
  far.keepSeconds = static_cast<unsigned>(keepMinutes) * secondsInMinute;
  far.cacheBytes = cacheGigabytes << gigabyteBits;
  for (llvm::StringRef argument : llvm::make_range(end == arguments.end() ? end : end + 1, arguments.end()))
    far.arguments.push_back(argument.str());
  return runNear(command, name, silence, far);
}

} // namespace fuselage::cli
