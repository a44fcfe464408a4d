// What `fuselage graph`, `step` and `run` are given: a module, or a log of passes.
#pragma once
#include "core/ir/Session.h"
#include "core/stepping/Recording.h"
#include "app/cli/Options.h"

namespace fuselage::cli {

/// Either is set.
struct Input {
  std::optional<Recording> log; ///< of a pass-by-pass log or a directory of dumps
  ReadResult module;
};

/// Opens a path ('-': standard input) by its content. What reading a module said goes to stderr, with
/// carets; an Error among it makes `exitCode` ExitInputError. Failure: nothing of it could be read.
llvm::Expected<Input> openInput(Session &session, llvm::StringRef path, int &exitCode);

/// The same for commands that take no log. Failure also: it is one.
llvm::Expected<ReadResult> openModule(Session &session, llvm::StringRef path, int &exitCode);

/// Prints diagnostics with carets on stderr; true if there is an Error among them.
bool printDiagnostics(llvm::ArrayRef<Diagnostic> diagnostics);

} // namespace fuselage::cli
