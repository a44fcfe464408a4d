// fuselage remote install, pack: the engine of this build for another machine.
#include "app/cli/remote/FarSide.h"
#include "app/cli/remote/RemoteCommands.h"
#include "core/deploy/InstallEngine.h"
#include "core/deploy/PackEngine.h"
#include "core/support/StandardOutput.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <csignal>

namespace fuselage::cli {

namespace {
/// Says how far a copy is: on stderr for people, as lines of JSON for programs.
class CopyReport {
public:
  explicit CopyReport(bool isJson) : isJson_(isJson) {}
  void say(CopyProgress progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(isJson_ ? 200 : 2000))
      return;
    last_ = now;
    if (isJson_) {
      results() << llvm::json::Value(
                       llvm::json::Object{{"sent", int64_t(progress.sent)}, {"total", int64_t(progress.total)}})
                << '\n';
      results().flush();
    } else {
      llvm::errs() << llvm::formatv("sent {0} of {1} MB\n", progress.sent / 1000000, progress.total / 1000000);
    }
  }

private:
  bool isJson_;
  std::chrono::steady_clock::time_point last_{};
};
} // namespace

static void sayInstalled(const InstallResult &result, bool isJson) {
  if (isJson)
    results() << llvm::json::Value(llvm::json::Object{{"was_there", result.wasThere},
                                                      {"sent", int64_t(result.sent)},
                                                      {"transferred", int64_t(result.transferred)},
                                                      {"version", result.version}})
              << '\n';
  else if (result.wasThere)
    results() << "The engine is there already: " << result.version << '\n';
  else
    results() << llvm::formatv("Installed {0}: {1} MB were sent, compressed to {2} MB.\n", result.version,
                               result.sent / 1000000, result.transferred / 1000000);
}

int remoteInstall(Arguments arguments) {
  FarSide side;
  Options options(
      "remote install", "",
      "Copies the engine of this build, with its libraries, into the user's cache folder on the other side of "
      "COMMAND: ${XDG_CACHE_HOME:-$HOME/.cache}/fuselage/engines. It needs neither root nor a compiler there, "
      "but the same kind of machine. Only files are sent that no engine there has; a copy that was "
      "interrupted goes on where it ended. All hashes (SHA-256) are checked there before it is used.");
  declareFarSide(options, side);
  options.example("fuselage remote install --command 'ssh gpu1'");
  return onFarSide(options, arguments, side, [&](const FarShell &shell) {
    CopyReport report(side.format == "json");
    auto result = installEngine(shell, [&](CopyProgress progress) { report.say(progress); });
    if (!result)
      return reportFailure(result.takeError());
    sayInstalled(*result, side.format == "json");
    return int(ExitOk);
  });
}

int remotePack(Arguments arguments) {
  Options options(
      "remote pack", "FOLDER",
      "Writes the engine of this build, with the libraries that it runs with, as a new folder: "
      "FOLDER/bin/fuselage starts on machines of the same kind, from any place, without root. A system with older "
      "libraries of C or C++ runs it with those in the folder.");
  options.example("fuselage remote pack fuselage-engine && tar czf engine.tar.gz fuselage-engine");
  if (auto code = options.parse(arguments))
    return *code;
  auto image = engineImage();
  if (!image)
    return reportFailure(image.takeError());
  if (llvm::Error error = packEngine(*image, options.positional()))
    return reportFailure(std::move(error));
  results() << llvm::formatv("{0} {1}, {2} files, {3} MB, for glibc {4} or, with its own, any\n", image->id,
                             image->machine, image->files.size(), image->totalBytes() / 1000000, image->glibc);
  return ExitOk;
}

} // namespace fuselage::cli
