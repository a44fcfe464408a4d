#include "core/ir/source/PastedDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using llvm::StringRef;

namespace fuselage {

namespace {
/// What a line of a diff is.
enum class DiffLine { Added, Removed, Common, Header, None };
} // namespace

static DiffLine kindOf(StringRef line) {
  static constexpr StringRef headers[] = {"@@ ",
                                          "+++ ",
                                          "--- ",
                                          "diff ",
                                          "index ",
                                          "\\ No newline",
                                          "new file mode ",
                                          "deleted file mode ",
                                          "old mode ",
                                          "new mode ",
                                          "similarity index ",
                                          "rename from ",
                                          "rename to "};
  if (llvm::any_of(headers, [&](StringRef header) { return line.starts_with(header); }))
    return DiffLine::Header;
  switch (line.empty() ? ' ' : line.front()) {
  case '+':
    return DiffLine::Added;
  case '-':
    return DiffLine::Removed;
  case ' ':
  case '\t':
  case '\r':
    return DiffLine::Common;
  default:
    return DiffLine::None;
  }
}

/// Calls `visit` with each line and where it begins, as long as it wants more.
static void visitLines(StringRef text, llvm::function_ref<bool(StringRef line, size_t begin)> visit) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    if (!visit(text.slice(begin, end), begin))
      return;
    begin = end + 1;
  }
}

static bool isDiff(StringRef text) {
  bool hasAdded = false, hasOther = false;
  visitLines(text, [&](StringRef line, size_t) {
    DiffLine kind = kindOf(line);
    hasAdded |= kind == DiffLine::Added;
    hasOther |= kind == DiffLine::None;
    return !hasOther;
  });
  return hasAdded && !hasOther;
}

std::optional<std::string> newSideOfDiff(StringRef text) {
  constexpr StringRef split = "// -----";
  if (!isDiff(text))
    return std::nullopt;
  std::string side = text.str();
  visitLines(text, [&](StringRef line, size_t begin) {
    DiffLine kind = kindOf(line);
    if (kind == DiffLine::Added)
      side[begin] = ' ';
    else if (kind != DiffLine::Common)
      std::fill_n(side.begin() + begin, line.size(), ' ');
    if (line.starts_with("--- ") && line.size() >= split.size())
      llvm::copy(split, side.begin() + begin);
    return true;
  });
  return side;
}

} // namespace fuselage
