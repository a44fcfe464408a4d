// Text in cells of tables that spreadsheets open. Free of LLVM.
#pragma once
#include "core/text/PrintableText.h"
#include <cstdlib>
#include <cstring>
#include <string>

namespace fuselage {

/// Whether a spreadsheet would compute it: what begins like a formula and is no number.
inline bool isFormula(const std::string &text) {
  constexpr const char *starts = "=+-@\t\n";
  if (text.empty() || !std::strchr(starts, text[0]))
    return false;
  char *end = nullptr;
  std::strtod(text.c_str(), &end);
  return end == text.c_str() || *end != '\0';
}

/// A text, made printable and quoted where it has to be; what a spreadsheet would take for a formula begins with a
/// quote mark.
inline std::string csvCell(const std::string &raw) {
  std::string text = printable(raw);
  if (isFormula(text))
    text = "'" + text;
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"')
      quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

} // namespace fuselage
