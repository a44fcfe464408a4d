// Searches lines for an ECMAScript regular expression.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <regex>
#include <string>

namespace fuselage {

/// A compiled pattern. Plain text is searched as such, which is much faster; the regular
/// expression sees the first 16 KiB of a line, since its matcher recurses over what it reads.
class LineSearch {
public:
  /// Failure: the pattern is empty or no regular expression.
  static llvm::Expected<LineSearch> create(llvm::StringRef pattern);
  /// Every match in order, empty ones left out; offsets in bytes.
  void forEachMatch(llvm::StringRef line,
                    llvm::function_ref<void(unsigned begin, unsigned length)> found) const;

private:
  std::string plain_;
  std::optional<std::regex> regex_;
};

} // namespace fuselage
