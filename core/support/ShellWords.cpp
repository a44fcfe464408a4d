#include "core/support/ShellWords.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

static llvm::Error shellOnly(llvm::StringRef what) {
  return fail("no shell runs the command, so '" + what.str() +
              "' would only be another word; quote it if it is meant to be one");
}

llvm::Expected<std::vector<std::string>> splitShellWords(llvm::StringRef line) {
  std::vector<std::string> words;
  std::string word;
  bool isOpen = false; // also an empty pair of quotes makes a word
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (llvm::isSpace(c)) {
      if (std::exchange(isOpen, false))
        words.push_back(std::exchange(word, {}));
      continue;
    }
    isOpen = true;
    if (c == '\\') {
      if (++i == line.size())
        return fail("the command ends in a \\ that quotes nothing");
      word += line[i];
    } else if (c == '\'' || c == '"') {
      size_t start = i++;
      for (; i < line.size() && line[i] != c; ++i) {
        // Within "...", a \ quotes what would be special there.
        if (c == '"' && line[i] == '\\' && i + 1 < line.size() && llvm::StringRef("\"\\$`").contains(line[i + 1]))
          ++i;
        word += line[i];
      }
      if (i == line.size())
        return fail("a quote in the command does not end: " + line.substr(start, 40).str());
    } else if (llvm::StringRef("|&;<>`").contains(c)) {
      return shellOnly(llvm::StringRef(&c, 1));
    } else if (c == '$' && line.substr(i + 1).starts_with("(")) {
      return shellOnly("$(");
    } else {
      word += c;
    }
  }
  if (isOpen)
    words.push_back(std::move(word));
  return words;
}

std::string joinShellWords(llvm::ArrayRef<std::string> words) {
  constexpr llvm::StringLiteral plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-{}";
  std::vector<std::string> quoted;
  for (const std::string &word : words) {
    if (!word.empty() && llvm::StringRef(word).find_first_not_of(plain) == llvm::StringRef::npos) {
      quoted.push_back(word);
      continue;
    }
    std::string text = "'";
    for (char c : word)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    quoted.push_back(text + "'");
  }
  return llvm::join(quoted, " ");
}

} // namespace fuselage
