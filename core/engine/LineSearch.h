// Searches lines for an ECMAScript regular expression.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <optional>
#include <regex>
#include <string>

namespace fuselage {

/// A compiled pattern. Plain text is searched as such, which is much faster; the regular
/// expression sees the first 12 KiB of a line, since its matcher recurses over what it reads.
///
/// The matcher backtracks: `(a*)*b` takes 2^n steps on n letters. Its steps are counted, and a search
/// that is cancelled, or needs too many of them for a line, ends as a Failure.
class LineSearch {
public:
  /// Some seconds; enough for `.*word` on the longest line, which takes the square of its length.
  static constexpr uint64_t defaultStepsPerLine = 450'000'000;

  /// Failure: the pattern is empty, too long or no regular expression. `cancelled`, which must outlive
  /// this, ends a search from another thread.
  static llvm::Expected<LineSearch> create(llvm::StringRef pattern, const std::atomic<bool> *cancelled = nullptr,
                                           uint64_t stepsPerLine = defaultStepsPerLine);
  /// Every match in order, empty ones left out; offsets in bytes. Failure: given up, see above.
  llvm::Error forEachMatch(llvm::StringRef line, llvm::function_ref<void(unsigned begin, unsigned length)> found) const;

private:
  std::string plain_;
  std::optional<std::regex> regex_;
  const std::atomic<bool> *cancelled_ = nullptr;
  uint64_t stepsPerLine_ = defaultStepsPerLine;
};

} // namespace fuselage
