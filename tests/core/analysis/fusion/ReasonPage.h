// A reason's page in Help, and the example on it, as the tests read them.
#pragma once
#include "core/transforms/dispatch/FusionReason.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace fuselage {

inline const std::string reasonPages = FUSELAGE_SOURCE_DIR "/resources/docs/reasons/";

/// The page's text; empty if there is none.
inline std::string readReasonPage(llvm::StringRef code) {
  for (const char *group : {"elementwise/", "dispatch/", "kinds/"})
    if (auto buffer = llvm::MemoryBuffer::getFile(reasonPages + group + code + ".md"))
      return (*buffer)->getBuffer().str();
  return "";
}

/// The text between two marks; empty if they are not there.
inline std::string between(const std::string &text, const std::string &start, const std::string &end) {
  size_t from = text.find(start);
  if (from == std::string::npos)
    return "";
  from += start.size();
  size_t to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from, to - from);
}

inline std::string exampleOn(const std::string &page) { return between(page, "```mlir\n", "```"); }
inline std::string policyOn(const std::string &page) { return between(page, "Policy: `", "`"); }

/// The line, from 1, that ends in `// mark`; 0 if there is none.
inline unsigned lineOf(const std::string &source, const std::string &mark) {
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(source, '\n')) {
    ++number;
    if (line.ends_with("// " + mark))
      return number;
  }
  return 0;
}

inline std::vector<FusionReason> allReasons() {
  std::vector<FusionReason> reasons;
  for (const FusionReasonInfo &info : allFusionReasons())
    reasons.push_back(info.reason);
  return reasons;
}

} // namespace fuselage
