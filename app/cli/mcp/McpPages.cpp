#include "app/cli/mcp/McpPages.h"
#include "llvm/Support/FormatVariadic.h"
#include <vector>

namespace fuselage::cli {

/// Lines that fit together; a line that is longer than a page is cut.
static std::vector<llvm::StringRef> pagesOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> pages;
  while (text.size() > kMcpPageBytes) {
    size_t end = text.rfind('\n', kMcpPageBytes) + 1; // npos + 1 is 0
    if (end == 0 || end > kMcpPageBytes)
      for (end = kMcpPageBytes; end > 1 && (text[end] & 0xC0) == 0x80;) // not within a character
        --end;
    pages.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  pages.push_back(text);
  return pages;
}

std::string pageOf(llvm::StringRef text, int64_t page) {
  std::vector<llvm::StringRef> pages = pagesOf(text);
  const auto count = static_cast<int64_t>(pages.size());
  if (page < 1 || page > count)
    return llvm::formatv("there is no page {0}: the pages are 1 to {1}", page, count);
  std::string shown = pages[page - 1].str();
  if (count > 1)
    shown += llvm::formatv("\n[page {0} of {1}{2}]", page, count,
                           page < count ? "; the next: page " + std::to_string(page + 1) : std::string());
  return shown;
}

} // namespace fuselage::cli
