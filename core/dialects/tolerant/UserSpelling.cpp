#include "core/dialects/tolerant/UserSpelling.h"
#include "core/dialects/tolerant/RawText.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

/// The op name that the line starts with, behind the result list if it has one.
static const char *opNameOnLine(const char *c) {
  while (*c == ' ')
    ++c;
  if (*c != '%')
    return c;
  while (*c && *c != '\n' && *c != '=')
    c = *c == '%' ? endOfName(c) : c + 1;
  return *c == '=' && c[1] == ' ' ? c + 2 : c;
}

/// Whether the namespace is the twin of one that is loaded.
static bool isTwin(StringRef dialectNamespace, MLIRContext &context) {
  if (dialectNamespace.empty() || !llvm::isUpper(dialectNamespace.front()))
    return false;
  std::string original = dialectNamespace.str();
  original.front() = llvm::toLower(original.front());
  return context.getLoadedDialect(original) != nullptr;
}

void spellAsUsersDo(std::string &text, MLIRContext &context) {
  bool hasOld = context.getLoadedDialect("std") != nullptr;
  bool hasTwin = llvm::any_of(context.getLoadedDialects(), [&](Dialect *dialect) {
    return isTwin(dialect->getNamespace(), context);
  });
  if (!hasOld && !hasTwin)
    return;
  // Texts end with a NUL, as the scans want. Shrinks in place.
  size_t written = 0;
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    size_t name = std::min<size_t>(opNameOnLine(text.data() + line) - text.data(), end);
    StringRef word = wordAt(text.data() + name);
    size_t skipped = 0;
    if (hasOld && word.starts_with("std."))
      skipped = 4;
    else if (hasTwin && isTwin(word.split('.').first, context) && word.contains('.'))
      text[name] = llvm::toLower(text[name]);
    std::copy(text.begin() + line, text.begin() + name, text.begin() + written);
    written += name - line;
    std::copy(text.begin() + name + skipped, text.begin() + end, text.begin() + written);
    written += end - name - skipped;
    line = end;
  }
  text.resize(written);
}

} // namespace fuselage
