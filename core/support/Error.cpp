#include "core/support/Error.h"
#include "core/support/Paths.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

char Failure::ID = 0;

llvm::StringRef severityName(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Error:
    return "error";
  case Diagnostic::Severity::Warning:
    return "warning";
  case Diagnostic::Severity::Remark:
    return "remark";
  case Diagnostic::Severity::Note:
    return "note";
  }
  return "error";
}

std::string formatDiagnostic(const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!diagnostic.file.empty())
    os << shortPath(diagnostic.file) << ':';
  if (diagnostic.line)
    os << diagnostic.line << ':' << diagnostic.column << ':';
  if (!text.empty())
    os << ' ';
  os << severityName(diagnostic.severity) << ": " << diagnostic.message;
  for (const Diagnostic &note : diagnostic.notes)
    os << '\n' << formatDiagnostic(note);
  return text;
}

void Failure::log(llvm::raw_ostream &os) const {
  os << message;
  for (const Diagnostic &diagnostic : diagnostics)
    os << '\n' << formatDiagnostic(diagnostic);
}

std::error_code Failure::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error fail(std::string message, std::vector<Diagnostic> diagnostics) {
  return llvm::make_error<Failure>(std::move(message), std::move(diagnostics));
}

Failure takeFailure(llvm::Error error) {
  Failure result("");
  llvm::handleAllErrors(
      std::move(error), [&](const Failure &failure) { result = Failure(failure.message, failure.diagnostics); },
      [&](const llvm::ErrorInfoBase &other) { result.message = other.message(); });
  return result;
}

} // namespace fuselage
