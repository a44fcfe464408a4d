// A command's options: declared once, used for parsing, for --help and for suggestions.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::cli {

/// The exit codes of every program of ours.
enum ExitCode : int { ExitOk = 0, ExitInputError = 1, ExitUsage = 2, ExitUndecided = 3 /* of bisect alone */ };

/// Prints `fuselage COMMAND: message` and a pointer to --help on stderr; returns ExitUsage.
int usageError(llvm::StringRef command, const std::string &message);

/// The name nearest to `name`, or nullopt if none is near enough to be a typo of it.
std::optional<std::string> nearestName(llvm::StringRef name, llvm::ArrayRef<std::string> known);

/// Options are `--name VALUE` or `--name=VALUE`, flags `--name`; `-o` is short for the option
/// declared with that short name; everything else is the one positional argument, or, where the positional's name has
/// several words, one of as many.
class Options {
public:
  /// Takes the text of a value; returns a complaint, or an empty string if it is fine.
  using Setter = std::function<std::string(llvm::StringRef)>;

  Options(std::string command, std::string positional, std::string summary)
      : command_(std::move(command)), positionalName_(std::move(positional)), summary_(std::move(summary)) {}

  void flag(std::string name, std::string help, bool &target);
  void text(std::string name, std::string placeholder, std::string help, std::string &target, char shortName = 0);
  /// One of `choices`.
  void choice(std::string name, std::vector<std::string> choices, std::string help, std::string &target);
  void number(std::string name, std::string help, uint64_t &target, uint64_t least, uint64_t most);
  /// `--size arg0.1=128`, as often as wanted: the sizes of dynamic dimensions by argument and dimension.
  void sizes(std::string help, std::map<std::string, int64_t> &target);
  /// `--input arg0=zeros`, as often as wanted: what arguments are given. `what`: words before the help.
  void inputs(const std::string &what, std::map<std::string, std::string> &target);
  void custom(std::string name, std::string placeholder, std::string help, Setter setter);
  /// Called when all options are parsed and right, in the order of the calls; what returns a code ends the command
  /// with it.
  void afterParsing(std::function<std::optional<int>()> act) { afterwards_.push_back(std::move(act)); }
  /// A line below "Examples".
  void example(std::string line) { examples_.push_back(std::move(line)); }

  /// nullopt: go on; else the exit code to end with (help was printed, or a usage error).
  std::optional<int> parse(llvm::ArrayRef<llvm::StringRef> arguments);
  const std::string &positional() const { return positionals_.front(); }
  /// Those that were given; the last ones may be missing where their names are in brackets.
  const std::vector<std::string> &positionals() const { return positionals_; }
  const std::string &command() const { return command_; }

private:
  struct Option {
    std::string name, placeholder, help;
    char shortName;
    Setter set;
  };
  const Option *find(llvm::StringRef name) const;
  int unknownOption(llvm::StringRef name) const;
  void printHelp() const;

  size_t mostPositionals() const;
  std::string command_, positionalName_, summary_;
  std::vector<std::string> positionals_;
  std::vector<Option> options_;
  std::vector<std::string> examples_;
  std::vector<std::function<std::optional<int>()>> afterwards_;
};

} // namespace fuselage::cli
