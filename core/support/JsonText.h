// JSON as files and the standard output get it, and as it goes over a pipe.
#pragma once
#include "core/text/PrintableText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

/// The value over several lines, and an end of line. Characters that a terminal obeys are escapes, where JSON itself
/// would let some of them stand.
inline std::string jsonText(const llvm::json::Value &value) {
  return printable(llvm::formatv("{0:2}\n", value).str(), Spelling::Json);
}

/// The value in one line.
inline std::string compactJson(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os.SetBufferSize(1 << 16); // strings come character by character
  os << value;
  os.flush();
  return text;
}

} // namespace fuselage
