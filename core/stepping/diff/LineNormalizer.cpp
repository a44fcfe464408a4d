#include "core/stepping/diff/LineNormalizer.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>

namespace fuselage {
namespace {

/// A character of a UTF-8 sequence: such sequences are never cut.
bool isHighByte(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool isSigil(char c) { return c == '%' || c == '#' || c == '^' || c == '@' || c == '!'; }

/// A set of characters, for loops over all characters of a text.
class CharSet {
public:
  template <class Predicate> constexpr explicit CharSet(Predicate isIn) {
    for (size_t c = 0; c < isIn_.size(); ++c)
      isIn_[c] = isIn(static_cast<char>(c));
  }
  constexpr bool contains(char c) const { return isIn_[static_cast<unsigned char>(c)]; }

private:
  std::array<bool, 256> isIn_{};
};
constexpr CharSet charsOfNames([](char c) { return mlir_text::isWord(c) || mlir_text::isBeyondAscii(c); });
/// What names begin with that may differ and be the same.
constexpr CharSet renamed([](char c) { return c == '%' || c == '^' || c == '#'; });

size_t endOfName(llvm::StringRef line, size_t pos) {
  while (pos < line.size() && charsOfNames.contains(line[pos]))
    ++pos;
  return pos;
}

/// "%12" -> "%", "%c0_3" -> "%c0", "%arg4" -> "%arg", "^bb2" -> "^bb". Named constants keep their
/// value ("%c0" is not "%c1"), since the printer derives it from the op.
llvm::StringRef withoutNumber(llvm::StringRef name) {
  llvm::StringRef stem = name;
  while (!stem.empty() && isDigit(stem.back()))
    stem = stem.drop_back();
  if (stem.size() == name.size())
    return name;
  if (stem == "%" || stem == "%arg" || stem == "^bb")
    return stem;
  if (stem.size() > 2 && stem.ends_with("_"))
    return stem.drop_back();
  return name;
}

} // namespace

LineNormalizer::LineNormalizer(llvm::StringRef text) {
  // The printer puts aliases at the top (attributes) or the bottom (locations) of a module.
  for (size_t at = text.find('#'); at != llvm::StringRef::npos; at = text.find('#', at + 1)) {
    if (at > 0 && text[at - 1] != '\n')
      continue;
    auto [name, definition] = text.substr(at).take_until([](char c) { return c == '\n'; }).split(" = ");
    if (!definition.empty())
      aliases_[name] = definition;
  }
}

llvm::StringRef LineNormalizer::token(llvm::StringRef token, std::string &storage) const {
  if (token.size() < 2)
    return token;
  if (token[0] == '%' || token[0] == '^')
    return withoutNumber(token);
  if (token[0] != '#')
    return token;
  auto found = aliases_.find(token);
  if (found == aliases_.end())
    return token;
  storage = found->second.str();
  return storage;
}

void LineNormalizer::append(llvm::StringRef line, std::string &out) const {
  std::string storage;
  size_t pos = 0;
  while (pos < line.size() && (line[pos] == ' ' || line[pos] == '\t'))
    ++pos;
  while (pos < line.size()) {
    size_t sigil = pos;
    while (sigil < line.size() && !renamed.contains(line[sigil]))
      ++sigil;
    if (sigil == line.size())
      break;
    out.append(line.data() + pos, sigil - pos);
    pos = endOfName(line, sigil + 1);
    // `%0#1` names a result and `%5:2` a pack: what follows the name is no alias.
    bool resultNumber = line[sigil] == '#' && sigil > 0 && isWordChar(line[sigil - 1]);
    llvm::StringRef name = line.slice(sigil, pos);
    out += resultNumber ? name : token(name, storage);
  }
  out.append(line.data() + pos, line.size() - pos);
}

void tokenize(llvm::StringRef line, std::vector<Token> &tokens) {
  tokens.clear();
  for (size_t pos = 0; pos < line.size();) {
    size_t begin = pos;
    char c = line[pos];
    if (c == ' ' || c == '\t')
      while (pos < line.size() && (line[pos] == ' ' || line[pos] == '\t'))
        ++pos;
    else if (isSigil(c))
      pos = endOfName(line, pos + 1);
    else if (isWordChar(c) || isHighByte(c))
      pos = endOfName(line, pos);
    else
      ++pos;
    tokens.push_back({.begin = unsigned(begin), .length = unsigned(pos - begin)});
  }
}

} // namespace fuselage
