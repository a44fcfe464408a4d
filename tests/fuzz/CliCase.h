// A command of fuselage on a text, as a user would call it, in processes of its own with limits.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuselage::fuzz {

/// The commands that read a module and need no device; "explain-conservative" is one in a form of its own.
llvm::ArrayRef<llvm::StringLiteral> cliCommands();

/// The command that a text is for, of those in the environment's FUSELAGE_FUZZ_COMMANDS ("graph,step"; default: all):
/// that of its first line, "// fuselage graph", or else one by its bytes.
llvm::StringRef cliCommandOf(llvm::StringRef text);

/// How a call ended.
struct CallOutcome {
  std::optional<int> status; ///< as of waitpid; nullopt: it took too long
  std::string output, errors;
};

/// The command line of `arguments`, in which "{file}" stands for a file that holds `text`.
CallOutcome callCommandLine(llvm::ArrayRef<std::string> arguments, llvm::StringRef text);

/// Calls it. Nullopt: it ended with 0, 1 or 2, and said something if it was 1. Else what is wrong: a death by a signal
/// of the process or of its worker, another exit code, silence, a sanitizer's report, more than 40 s of processor time,
/// more than 4 GiB.
std::optional<std::string> findInCommand(llvm::StringRef command, llvm::StringRef text);

} // namespace fuselage::fuzz
