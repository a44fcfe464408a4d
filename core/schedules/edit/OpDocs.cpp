#include "core/schedules/edit/OpDocs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// Markdown of mlir-tblgen, a string for each file.
static constexpr llvm::StringLiteral pages[] = {
#include "core/schedules/edit/TransformOpPages.inc"
};

/// `in` of "(`ops` `{` $ops^ `}`)? `in` $target": words in quotes that are names.
static std::vector<std::string> keywordsIn(llvm::StringRef syntax) {
  std::vector<std::string> keywords;
  for (auto [quoted, rest] = syntax.split('`'); !rest.empty(); std::tie(quoted, rest) = rest.split('`')) {
    llvm::StringRef word;
    std::tie(word, rest) = rest.split('`');
    if (!word.empty() && llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
        !llvm::is_contained(keywords, word))
      keywords.push_back(word.str());
  }
  return keywords;
}

static std::string inOneLine(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

/// The paragraph that begins the text, up to the end of its first sentence.
static std::string firstSentence(llvm::StringRef text) {
  std::string paragraph = inOneLine(text.ltrim().split("\n\n").first);
  llvm::StringRef sentence = paragraph;
  size_t end = sentence.find(". ");
  return sentence.take_front(end).trim('_').rtrim('.').str();
}

/// A section that begins after "### `".
static std::pair<llvm::StringRef, OpDoc> read(llvm::StringRef section) {
  auto [name, text] = section.split('`');
  text = text.split('\n').second;
  OpDoc doc;
  constexpr llvm::StringLiteral mark = "operation ::= ";
  size_t summaryAt = 0;
  if (size_t at = text.find(mark); at != llvm::StringRef::npos) {
    size_t end = text.find("```", at);
    llvm::StringRef syntax = text.slice(at + mark.size(), end);
    syntax.consume_front("`" + name.str() + "`");
    doc.keywords = keywordsIn(syntax);
    doc.syntax = name.str() + " " + inOneLine(syntax);
    llvm::erase(doc.syntax, '`');
    // A summary stands before the syntax, a description after it.
    llvm::StringRef before = text.take_front(text.find("Syntax:")).trim();
    if (!before.empty())
      doc.summary = firstSentence(before);
    summaryAt = std::min(end + 3, text.size());
  }
  if (doc.summary.empty())
    doc.summary = firstSentence(text.drop_front(summaryAt));
  for (llvm::StringRef heading : {"Traits:", "Interfaces:", "#", "Effects:", "|", "<"})
    if (llvm::StringRef(doc.summary).starts_with(heading))
      doc.summary.clear();
  return {name, doc};
}

const OpDoc *docOf(llvm::StringRef op) {
  static const llvm::StringMap<OpDoc> docs = [] {
    llvm::StringMap<OpDoc> all;
    for (llvm::StringRef page : pages) {
      constexpr llvm::StringLiteral heading = "\n### `";
      for (size_t at = page.find(heading); at != llvm::StringRef::npos;) {
        size_t end = page.find(heading, at + 1);
        all.insert(read(page.slice(at + heading.size(), end)));
        at = end;
      }
    }
    return all;
  }();
  auto found = docs.find(op);
  return found == docs.end() ? nullptr : &found->second;
}

} // namespace fuselage
