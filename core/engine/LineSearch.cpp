#include "core/engine/LineSearch.h"
#include "core/support/Error.h"

namespace fuselage {

llvm::Expected<LineSearch> LineSearch::create(llvm::StringRef pattern) {
  if (pattern.empty())
    return fail("the search pattern is empty");
  LineSearch search;
  search.plain_ = pattern.str();
  if (pattern.find_first_of("\\^$.|?*+()[]{}") == llvm::StringRef::npos)
    return search;
  try {
    search.regex_.emplace(pattern.str(), std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error &error) {
    return fail("'" + pattern.str() + "' is no regular expression: " + error.what());
  }
  return search;
}

void LineSearch::forEachMatch(
    llvm::StringRef line, llvm::function_ref<void(unsigned begin, unsigned length)> found) const {
  if (!regex_) {
    for (size_t at = line.find(plain_); at != llvm::StringRef::npos;
         at = line.find(plain_, at + plain_.size()))
      found(at, plain_.size());
    return;
  }
  constexpr size_t maxLine = 16 << 10;
  llvm::StringRef head = line.take_front(maxLine);
  // Only the matcher itself may throw here: it gives up on what is too complex.
  try {
    for (std::cregex_iterator it(head.begin(), head.end(), *regex_), end; it != end; ++it)
      if (it->length() > 0)
        found(it->position(), it->length());
  } catch (const std::regex_error &) {
    return;
  }
}

} // namespace fuselage
