#include "app/cli/Commands.h"
#include "core/ir/Session.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

int reportFailure(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  for (const Diagnostic &diagnostic : failure.diagnostics)
    llvm::errs() << formatWithCaret(diagnostic) << '\n';
  llvm::errs() << "fuselage: " << failure.message << '\n';
  return ExitInputError;
}

/// stdout, with a full disk or a closed pipe noticed.
static llvm::Error writeStdout(llvm::StringRef text) {
  llvm::raw_fd_ostream &out = llvm::outs();
  out << text;
  out.flush();
  if (!out.has_error())
    return llvm::Error::success();
  std::string reason = out.error().message();
  out.clear_error();
  return fail("cannot write to standard output: " + reason);
}

llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef text) {
  if (path.empty() || path == "-")
    return writeStdout(text);
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
  if (!error)
    return llvm::Error::success();
  return fail("cannot write '" + path.str() + "': " + llvm::toString(std::move(error)));
}

} // namespace fuselage::cli
