// A line of IR as a list shows it.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

/// Without its indentation, cut where it is long; empty where there is none.
inline std::string shownLine(const PrintedModule &lines, int line) {
  constexpr size_t longest = 240;
  if (line < 0 || unsigned(line) >= lines.lineCount())
    return "";
  llvm::StringRef text = lines.line(line).trim();
  return text.size() <= longest ? text.str() : llvm::json::fixUTF8(text.take_front(longest)) + "…";
}

} // namespace fuselage
