#include "app/cli/Commands.h"
#include "core/ir/Session.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

int reportFailure(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  bool isSaid = false; // a message that only repeats a diagnostic is not worth a second line
  for (const Diagnostic &diagnostic : failure.diagnostics) {
    llvm::errs() << formatWithCaret(diagnostic) << '\n';
    isSaid |= llvm::StringRef(failure.message).contains(diagnostic.message);
  }
  if (!isSaid)
    llvm::errs() << "fuselage: " << failure.message << '\n';
  return ExitInputError;
}

} // namespace fuselage::cli
