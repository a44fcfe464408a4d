#include "core/protocol/json/JsonWriter.h"
#include "core/protocol/json/DiagnosticMessage.h"

namespace fuselage::message {

llvm::json::Value encode(const StdTypes::Element &element) {
  if (const auto *number = std::get_if<double>(&element))
    return jsonNumber(*number);
  if (const auto *number = std::get_if<std::complex<double>>(&element))
    return llvm::json::Array{jsonNumber(number->real()), jsonNumber(number->imag())};
  if (const auto *whole = std::get_if<int64_t>(&element))
    return *whole;
  if (const auto *large = std::get_if<uint64_t>(&element))
    return *large;
  return std::get<std::string>(element);
}

Diagnostic<> messageOf(const fuselage::Diagnostic &diagnostic) {
  return {.severity = severityName(diagnostic.severity).str(),
          .message = diagnostic.message,
          .file = diagnostic.file,
          .line = static_cast<int>(diagnostic.line),
          .column = static_cast<int>(diagnostic.column),
          .notes = messagesOf(diagnostic.notes)};
}

std::vector<Diagnostic<>> messagesOf(const std::vector<fuselage::Diagnostic> &diagnostics) {
  std::vector<Diagnostic<>> messages;
  for (const fuselage::Diagnostic &diagnostic : diagnostics)
    messages.push_back(messageOf(diagnostic));
  return messages;
}

} // namespace fuselage::message
