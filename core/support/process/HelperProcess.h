// A program run as a filter: text in, text out, killable.
#pragma once
#include "core/support/Error.h"
#include <atomic>

namespace fuselage {

/// How a program ended that came to its end.
struct ProgramEnd {
  int exitCode = 0;
  std::string output, messages; ///< stdout and stderr
};

/// runFilter() for programs whose exit code is part of the answer: any is a success.
llvm::Expected<ProgramEnd> runProgram(llvm::StringRef program, const std::vector<std::string> &arguments,
                                      llvm::StringRef input, const std::atomic<bool> *cancelled, double timeoutSeconds,
                                      llvm::StringRef adviceIfMissing);

/// Runs `program` (looked up in PATH) with `arguments`, feeds it `input` and returns its stdout.
/// The process is killed when `cancelled` turns true or after `timeoutSeconds`. Failure: it is
/// missing (the message carries `adviceIfMissing`), died, ended with another exit code than 0, took too long, said more
/// than 256 MiB, or was cancelled. `messages`, if given, gets its stderr.
llvm::Expected<std::string> runFilter(llvm::StringRef program, const std::vector<std::string> &arguments,
                                      llvm::StringRef input, const std::atomic<bool> *cancelled, double timeoutSeconds,
                                      llvm::StringRef adviceIfMissing, std::string *messages = nullptr);

} // namespace fuselage
