#include "core/lessons/MarkdownHtml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

using llvm::StringRef;

std::string escapeHtml(StringRef text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\'':
      escaped += "&#39;";
      break;
    default:
      if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ')
        escaped += c;
    }
  }
  return escaped;
}

std::string termAnchor(const GlossaryEntry &entry) {
  std::string anchor;
  for (char c : entry.words.front())
    anchor += llvm::isAlnum(c) ? c : '-';
  return anchor;
}

/// A line of the rest.
static StringRef takeLine(StringRef &rest) {
  auto [line, after] = rest.split('\n');
  rest = after;
  return line.rtrim('\r');
}

static StringRef lineOf(StringRef rest) { return rest.split('\n').first.rtrim('\r'); }

/// "- item", "3. item"; nullopt: the line begins no item.
static std::optional<StringRef> itemOf(StringRef line, bool &isNumbered) {
  line = line.ltrim();
  isNumbered = false;
  if (line.consume_front("- ") || line.consume_front("* "))
    return line;
  const StringRef digits = line.take_while(llvm::isDigit);
  isNumbered = true;
  if (!digits.empty() && digits.size() < 4 && line.drop_front(digits.size()).starts_with(". "))
    return line.drop_front(digits.size() + 2);
  return std::nullopt;
}

static bool beginsBlock(StringRef line) {
  bool isNumbered = false;
  return line.trim().empty() || line.starts_with("#") || line.ltrim().starts_with("```") || line.starts_with("|") ||
         itemOf(line, isNumbered);
}

void MarkdownHtml::addText(llvm::raw_ostream &os, StringRef text) {
  size_t done = 0;
  if (!isInLink_)
    for (const Glossary::Use &use : glossary_.usesIn(std::string_view(text))) {
      if (!used_.insert(use.entry).second)
        continue;
      os << escapeHtml(text.slice(done, use.begin)) << "<a class=\"term\" href=\"#term-" << termAnchor(*use.entry)
         << "\" title=\"" << escapeHtml(use.entry->meaning) << "\">" << escapeHtml(text.substr(use.begin, use.length))
         << "</a>";
      done = use.begin + use.length;
    }
  os << escapeHtml(text.drop_front(done));
}

/// `**bold**`. False: the mark has no end.
bool MarkdownHtml::addSpan(llvm::raw_ostream &os, StringRef &text, StringRef mark, const char *tag) {
  const size_t end = text.find(mark, mark.size());
  const StringRef inside = text.slice(mark.size(), end);
  if (!text.starts_with(mark) || end == StringRef::npos || inside.empty() || inside.front() == ' ')
    return false;
  os << '<' << tag << '>';
  if (mark == "`")
    os << escapeHtml(inside);
  else
    addInlines(os, inside);
  os << "</" << tag << '>';
  text = text.drop_front(end + mark.size());
  return true;
}

/// `[words](https://..)` or `![words](picture.svg)`; what leads elsewhere is its words.
bool MarkdownHtml::addLink(llvm::raw_ostream &os, StringRef &text) {
  StringRef rest = text;
  const bool isPicture = rest.consume_front("!");
  const size_t middle = rest.find("](");
  const size_t end = middle == StringRef::npos ? middle : rest.find(')', middle);
  if (!rest.starts_with("[") || end == StringRef::npos)
    return false;
  const StringRef words = rest.slice(1, middle), target = rest.slice(middle + 2, end);
  text = rest.drop_front(end + 1);
  if (isPicture) {
    const std::string source = pictureOf_(target);
    if (source.empty())
      os << "<em>" << escapeHtml(words) << "</em>";
    else
      os << "<img src=\"" << escapeHtml(source) << "\" alt=\"" << escapeHtml(words) << "\">";
    return true;
  }
  const bool leadsToWeb = target.starts_with("https://") || target.starts_with("http://");
  if (leadsToWeb)
    os << "<a rel=\"nofollow noopener\" href=\"" << escapeHtml(target) << "\">";
  const bool before = std::exchange(isInLink_, isInLink_ || leadsToWeb);
  addInlines(os, words);
  isInLink_ = before;
  if (leadsToWeb)
    os << "</a>";
  return true;
}

void MarkdownHtml::addInlines(llvm::raw_ostream &os, StringRef text) {
  std::string run;
  const auto flush = [&] {
    addText(os, run);
    run.clear();
  };
  while (!text.empty()) {
    if (StringRef("`*[!").contains(text.front())) {
      std::string span;
      llvm::raw_string_ostream into(span);
      const std::string before = std::exchange(run, {});
      addText(os, before);
      if (addSpan(into, text, "`", "code") || addSpan(into, text, "**", "strong") || addSpan(into, text, "*", "em") ||
          addLink(into, text)) {
        os << span;
        continue;
      }
    } else if (text.front() == '\\' && text.size() > 1 && llvm::isPunct(text[1])) {
      text = text.drop_front();
    }
    run += text.front();
    text = text.drop_front();
  }
  flush();
}

std::string MarkdownHtml::inlines(StringRef markdown) {
  std::string html;
  llvm::raw_string_ostream os(html);
  addInlines(os, markdown);
  return html;
}

void MarkdownHtml::addList(llvm::raw_ostream &os, StringRef &rest) {
  bool isNumbered = false;
  itemOf(lineOf(rest), isNumbered);
  const char *tag = isNumbered ? "ol" : "ul";
  os << '<' << tag << ">\n";
  bool isSame = isNumbered;
  while (std::optional<StringRef> item = itemOf(lineOf(rest), isSame)) {
    if (isSame != isNumbered)
      break;
    std::string text = item->str();
    takeLine(rest);
    while (!rest.empty() && !beginsBlock(lineOf(rest)))
      text += " " + takeLine(rest).trim().str();
    os << "<li>" << inlines(text) << "</li>\n";
  }
  os << "</" << tag << ">\n";
}

void MarkdownHtml::addTable(llvm::raw_ostream &os, StringRef &rest) {
  os << "<table>\n";
  for (bool isHead = true; lineOf(rest).starts_with("|"); isHead = false) {
    const StringRef line = takeLine(rest).trim();
    if (line.find_first_not_of("|-: ") == StringRef::npos)
      continue;
    os << "<tr>";
    for (StringRef cell : llvm::split(line.drop_front().rtrim('|'), '|'))
      os << (isHead ? "<th>" : "<td>") << inlines(cell.trim()) << (isHead ? "</th>" : "</td>");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

void MarkdownHtml::addParagraph(llvm::raw_ostream &os, StringRef &rest) {
  std::string text = takeLine(rest).str();
  while (!rest.empty() && !beginsBlock(lineOf(rest)))
    text += "\n" + takeLine(rest).str();
  os << "<p>" << inlines(text) << "</p>\n";
}

std::string MarkdownHtml::blocks(StringRef markdown) {
  std::string html;
  llvm::raw_string_ostream os(html);
  bool isNumbered = false;
  while (!markdown.empty()) {
    const StringRef line = lineOf(markdown);
    if (line.trim().empty()) {
      takeLine(markdown);
    } else if (line.ltrim().starts_with("```")) {
      takeLine(markdown);
      os << "<pre><code>";
      while (!markdown.empty() && lineOf(markdown).trim() != "```")
        os << escapeHtml(takeLine(markdown)) << '\n';
      takeLine(markdown);
      os << "</code></pre>\n";
    } else if (line.starts_with("#")) {
      os << "<h4>" << inlines(takeLine(markdown).ltrim('#').trim()) << "</h4>\n";
    } else if (line.starts_with("|")) {
      addTable(os, markdown);
    } else if (itemOf(line, isNumbered)) {
      addList(os, markdown);
    } else {
      addParagraph(os, markdown);
    }
  }
  return html;
}

std::vector<const GlossaryEntry *> MarkdownHtml::usedTerms() const {
  std::vector<const GlossaryEntry *> terms;
  for (const GlossaryEntry &entry : glossary_.entries())
    if (used_.count(&entry))
      terms.push_back(&entry);
  return terms;
}

} // namespace fuselage
