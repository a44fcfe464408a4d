// The Markdown of lessons as HTML. Lessons come from anywhere: nothing in them becomes markup of its own.
#pragma once
#include "core/text/Glossary.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <string>

namespace fuselage {

/// Text in HTML and in its attributes.
std::string escapeHtml(llvm::StringRef text);

/// Paragraphs, headings (as <h4>), lists, tables, fenced code; in them bold, italics, code, links to http and https,
/// and pictures. All else, HTML above all, is text.
class MarkdownHtml {
public:
  /// The address that stands for a picture; empty: its words stand there.
  using PictureOf = llvm::function_ref<std::string(llvm::StringRef name)>;
  /// `glossary`: where a term is first used, it is a link to "#term-NAME" with its meaning as tool tip.
  MarkdownHtml(const Glossary &glossary, PictureOf pictureOf) : glossary_(glossary), pictureOf_(pictureOf) {}

  std::string blocks(llvm::StringRef markdown);
  std::string inlines(llvm::StringRef markdown);
  /// Those that were linked, in the order of the glossary.
  std::vector<const GlossaryEntry *> usedTerms() const;

private:
  void addInlines(llvm::raw_ostream &os, llvm::StringRef text);
  void addText(llvm::raw_ostream &os, llvm::StringRef text);
  bool addSpan(llvm::raw_ostream &os, llvm::StringRef &text, llvm::StringRef mark, const char *tag);
  bool addLink(llvm::raw_ostream &os, llvm::StringRef &text);
  void addList(llvm::raw_ostream &os, llvm::StringRef &rest);
  void addTable(llvm::raw_ostream &os, llvm::StringRef &rest);
  void addParagraph(llvm::raw_ostream &os, llvm::StringRef &rest);

  const Glossary &glossary_;
  PictureOf pictureOf_;
  std::set<const GlossaryEntry *> used_;
  bool isInLink_ = false;
};

/// "destination-passing-style"
std::string termAnchor(const GlossaryEntry &entry);

} // namespace fuselage
