#include "app/cli/Commands.h"
#include "core/ir/Session.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

int reportFailure(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  for (const Diagnostic &diagnostic : failure.diagnostics)
    llvm::errs() << formatWithCaret(diagnostic) << '\n';
  llvm::errs() << "fuselage: " << failure.message << '\n';
  return ExitInputError;
}

} // namespace fuselage::cli
