// JSON as files and the standard output get it.
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

} // namespace fuselage
