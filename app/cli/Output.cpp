#include "app/cli/Commands.h"
#include "core/ir/module/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

int reportFailure(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  bool isSaid = false; // a message that only repeats a diagnostic is not worth a second line
  printDiagnostics(failure.diagnostics);
  for (const Diagnostic &diagnostic : failure.diagnostics)
    isSaid |= llvm::StringRef(failure.message).contains(diagnostic.message);
  if (!isSaid)
    llvm::errs() << "fuselage: " << failure.message << '\n';
  return ExitInputError;
}

} // namespace fuselage::cli
