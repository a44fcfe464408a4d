#include "core/lsp/text/Folding.h"
#include "core/text/MlirLexer.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::lsp {

static void addBrackets(const TextBuffer &text, std::vector<Fold> &folds) {
  std::string_view all = text.text();
  std::vector<std::pair<char, size_t>> open;
  for (size_t at = 0; at < all.size();) {
    MlirToken token = nextMlirToken(all, at);
    at = token.end;
    if (token.kind != MlirToken::Kind::Punctuation)
      continue;
    char c = all[token.begin];
    if (c == '{' || c == '(' || c == '[')
      open.push_back({c, token.begin});
    char wanted = c == '}' ? '{' : c == ')' ? '(' : c == ']' ? '[' : '\0';
    if (!wanted || open.empty() || open.back().first != wanted)
      continue;
    int first = text.lineOf(open.back().second), last = text.lineOf(token.begin) - 1;
    if (last > first)
      folds.push_back({first, last, wanted == '{' ? Fold::Kind::Region : Fold::Kind::Other});
    open.pop_back();
  }
}

static bool isComment(llvm::StringRef line) {
  line = line.ltrim();
  return line.starts_with("//") && !line.starts_with("// -----");
}

static void addComments(const TextBuffer &text, std::vector<Fold> &folds) {
  for (int line = 0; line < text.lineCount(); ++line) {
    int first = line;
    while (line < text.lineCount() && isComment(text.line(line)))
      ++line;
    if (line - first > 1)
      folds.push_back({first, line - 1, Fold::Kind::Comment});
  }
}

std::vector<Fold> findFolds(const TextBuffer &text, const NameScopes &names) {
  std::vector<Fold> folds;
  addBrackets(text, folds);
  addComments(text, folds);
  if (names.parts.size() > 1)
    for (const ByteRange &part : names.parts) {
      // From its first line that says something to its last.
      llvm::StringRef all = text.text(), inside = all.slice(part.begin, part.end);
      size_t begin = part.begin + (inside.size() - inside.ltrim().size());
      int first = text.lineOf(begin), last = text.lineOf(begin + inside.trim().size());
      if (last > first)
        folds.push_back({first, last, Fold::Kind::Region});
    }
  // Editors take one fold for a line.
  llvm::sort(folds,
             [](const Fold &a, const Fold &b) { return std::pair(a.first, -a.last) < std::pair(b.first, -b.last); });
  folds.erase(std::unique(folds.begin(), folds.end(), [](const Fold &a, const Fold &b) { return a.first == b.first; }),
              folds.end());
  return folds;
}

} // namespace fuselage::lsp
