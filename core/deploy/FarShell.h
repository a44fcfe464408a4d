// Scripts for sh on another machine, through the command that the user gave.
#pragma once
#include "core/support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// How a script ended.
struct FarEnd {
  int exitCode = 0;
  std::string output, messages; ///< the end of stdout, and of stderr
};

/// Runs scripts by a command such as `ssh gpu1`, `docker exec -i box sh -c` or `sh -c`: one more argument is added to
/// its words, which a shell on the other side reads. The command is the only program that is started here.
class FarShell {
public:
  /// Gives the next bytes of the standard input; nullopt: that was all. Failure: the script is ended, and this is why.
  using Input = llvm::function_ref<llvm::Expected<std::optional<std::string>>()>;

  /// Failure: no command, or one that only a shell could run (core/support/ShellWords.h).
  static llvm::Expected<FarShell> of(llvm::StringRef command);

  /// Runs `script` with `arguments` as $1, $2 ... Ends it after `idleSeconds` in which no byte went either way.
  /// Failure: the command cannot be started, was ended by a signal, took too long, or what `input` says.
  llvm::Expected<FarEnd> run(llvm::StringRef script, const std::vector<std::string> &arguments, Input input,
                             double idleSeconds = 60) const;
  /// With `text` as its input.
  llvm::Expected<FarEnd> run(llvm::StringRef script, const std::vector<std::string> &arguments,
                             llvm::StringRef text = "") const;
  const std::string &command() const { return command_; }

private:
  std::string command_;
  std::vector<std::string> words_;
};

} // namespace fuselage
