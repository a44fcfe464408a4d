#include "tests/fuzz/CommandSweep.h"
#include "tests/fuzz/CliCase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <sys/wait.h>

using llvm::StringRef;

namespace fuselage::fuzz {

llvm::ArrayRef<std::vector<std::string>> sweptCommands() {
  static const std::vector<std::vector<std::string>> commands = {
      {"graph", "{file}", "--format", "json"},
      {"explain", "{file}"},
      {"explain", "{file}", "--policy", "conservative"},
      {"fuse", "{file}", "--all"},
      {"step", "{file}"},
      {"run", "{file}", "--repeat", "1", "--warmup", "0", "--baselines", "none"},
      {"run", "{file}", "--repeat", "1", "--warmup", "0", "--baselines", "none", "--device", "vulkan:0"},
      {"tiles", "{file}"},
      {"buffers", "{file}"},
      {"kernel", "{file}", "--dispatch", "0"},
      {"kernel", "{file}", "--dispatch", "0", "--target", "ptx"},
      {"kernel", "{file}", "--dispatch", "0", "--target", "host"},
      {"schedule", "{file}", "--check-forms"},
      {"tune", "{file}", "--dry-run"},
      {"compare", "{file}", "{file}"},
  };
  return commands;
}

/// Whether a text names a place: "a.mlir:3:8" or "line 3".
static bool namesPlace(StringRef text) {
  static const llvm::Regex place(":[0-9]+:[0-9]+|lines? [0-9]+");
  return place.match(text);
}

static std::optional<std::string> findIn(const CallOutcome &outcome) {
  if (!outcome.status)
    return "does not end";
  if (WIFSIGNALED(*outcome.status))
    return "dies of signal " + std::to_string(WTERMSIG(*outcome.status));
  int code = WEXITSTATUS(*outcome.status);
  StringRef errors = outcome.errors, output = outcome.output;
  static const llvm::Regex death("crash(es|ed) with signal|was killed by signal|took longer than "
                                 "its time limit|took more than|LLVM ERROR|Stack dump|"
                                 "Sanitizer|runtime error:|[Ii]nternal error");
  llvm::SmallVector<StringRef> matches;
  for (StringRef text : {errors, output})
    if (death.match(text, &matches))
      return "says '" + matches.front().str() + "'";
  if (code > 2)
    return "ends with " + std::to_string(code);
  if (output.contains("WRONG") || errors.contains("WRONG"))
    return "a wrong result";
  if (code == 1 && errors.trim().empty())
    return "ends with 1 and says nothing";
  if (code != 0 && !namesPlace(errors))
    return "names no place";
  return std::nullopt;
}

std::optional<std::string> findInSweep(llvm::ArrayRef<std::string> command, StringRef text) {
  CallOutcome outcome = callCommandLine(command, text);
  std::optional<std::string> found = findIn(outcome);
  if (!found)
    return std::nullopt;
  return "fuselage " + llvm::join(command, " ") + ": " + *found + "\n" + outcome.errors;
}

} // namespace fuselage::fuzz
