#include "app/cli/Output.h"
#include "app/cli/Options.h"
#include "core/support/StandardOutput.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace fuselage::cli {

/// In the order in which it was said.
static std::vector<Diagnostic> heldBack;

bool sayErrors(std::vector<Diagnostic> diagnostics) {
  auto isError = [](const Diagnostic &diagnostic) { return diagnostic.severity == Diagnostic::Severity::Error; };
  auto others = std::stable_partition(diagnostics.begin(), diagnostics.end(), isError);
  heldBack.insert(heldBack.end(), std::make_move_iterator(others), std::make_move_iterator(diagnostics.end()));
  diagnostics.erase(others, diagnostics.end());
  return printDiagnostics(diagnostics);
}

void hold(Diagnostic diagnostic) { heldBack.push_back(std::move(diagnostic)); }

void sayHeld() { printDiagnostics(std::exchange(heldBack, {})); }

int reportFailure(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  bool isSaid = false; // a message that only repeats a diagnostic is not worth a second line
  printDiagnostics(failure.diagnostics);
  for (const Diagnostic &diagnostic : failure.diagnostics)
    isSaid |= llvm::StringRef(failure.message).contains(diagnostic.message);
  if (!isSaid)
    llvm::errs() << "fuselage: " << failure.message << '\n';
  sayHeld();
  return ExitInputError;
}

static std::vector<std::function<llvm::Error()>> atEnd;

void callAtEnd(std::function<llvm::Error()> act) { atEnd.push_back(std::move(act)); }

int endOfResults(int code) {
  sayHeld();
  for (const auto &act : std::exchange(atEnd, {}))
    if (llvm::Error error = act())
      code = reportFailure(std::move(error));
  llvm::Error error = finishResults();
  return error ? reportFailure(std::move(error)) : code;
}

} // namespace fuselage::cli
