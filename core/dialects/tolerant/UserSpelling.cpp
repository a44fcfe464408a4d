#include "core/dialects/tolerant/UserSpelling.h"
#include "core/dialects/tolerant/RawText.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fuselage {

/// The op name that the line starts with, after the result list if it has one.
static const char *opNameOnLine(const char *c) {
  while (*c == ' ')
    ++c;
  if (*c != '%')
    return c;
  while (*c && *c != '\n' && *c != '=')
    c = *c == '%' ? endOfName(c) : c + 1;
  return *c == '=' && c[1] == ' ' ? c + 2 : c;
}

/// The loaded dialects that are the twins of others.
static llvm::StringSet<> loadedTwins(MLIRContext &context) {
  llvm::StringSet<> originals, twins;
  for (StringRef name : context.getAvailableDialects())
    originals.insert(name);
  for (Dialect *dialect : context.getLoadedDialects())
    originals.insert(dialect->getNamespace());
  for (Dialect *dialect : context.getLoadedDialects()) {
    std::string original = dialect->getNamespace().str();
    if (original.empty() || !llvm::isUpper(original.front()))
      continue;
    original.front() = llvm::toLower(original.front());
    if (originals.contains(original))
      twins.insert(dialect->getNamespace());
  }
  return twins;
}

void spellAsUsersDo(std::string &text, MLIRContext &context) {
  bool hasOld = context.getLoadedDialect("std") != nullptr;
  llvm::StringSet<> twins = loadedTwins(context);
  if (!hasOld && twins.empty())
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
    else if (word.contains('.') && twins.contains(word.split('.').first))
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
