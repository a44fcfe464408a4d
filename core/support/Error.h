// Errors as values: what went wrong, where, and what to do about it.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace fuselage {

/// One message about the user's IR. `line` and `column` count from 1; 0 means unknown.
struct Diagnostic {
  enum class Severity { Error, Warning, Remark, Note };
  Severity severity = Severity::Error;
  std::string message{};
  std::string file{};
  unsigned line = 0;
  unsigned column = 0;
  std::vector<Diagnostic> notes{};
  std::string sourceLine{}; ///< the text of that line where it is known (stdin cannot be read twice)
};

/// "error", "warning", "remark" or "note".
llvm::StringRef severityName(Diagnostic::Severity severity);

/// The form that compilers print: `file:line:col: error: message`, then the notes, a line each.
std::string formatDiagnostic(const Diagnostic &diagnostic);

/// The one error type of core/: a sentence that says what, where and what to do, plus the
/// diagnostics that led to it (already shown to nobody).
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;
  std::string message;
  std::vector<Diagnostic> diagnostics;

  explicit Failure(std::string message, std::vector<Diagnostic> diagnostics = {})
      : message(std::move(message)), diagnostics(std::move(diagnostics)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Shorthand for `llvm::make_error<Failure>(...)`.
llvm::Error fail(std::string message, std::vector<Diagnostic> diagnostics = {});

/// Takes an error apart; errors of other types become a Failure with their text.
Failure takeFailure(llvm::Error error);

} // namespace fuselage
