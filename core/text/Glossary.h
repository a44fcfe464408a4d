// The terms of resources/docs/glossary.md, and where a text uses them. Free of LLVM.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fuselage {

struct GlossaryEntry {
  std::string name;               ///< as the page writes it: "tile, tiles"
  std::vector<std::string> words; ///< in lower case: "tile", "tiles"
  std::string meaning;            ///< without marks of Markdown
  bool isEveryday = false;        ///< too common a word to mark every use of it
};

class Glossary {
public:
  /// Of the page's tables: the first has terms, the others everyday words.
  explicit Glossary(std::string_view markdown) {
    size_t tables = 0;
    bool wasRow = false;
    while (!markdown.empty()) {
      const size_t end = std::min(markdown.find('\n'), markdown.size());
      const std::string_view line = markdown.substr(0, end);
      markdown.remove_prefix(std::min(end + 1, markdown.size()));
      const bool isRow = line.substr(0, 2) == "| ";
      tables += isRow && !wasRow && line.substr(0, 7) == "| word ";
      if (isRow && line.substr(0, 7) != "| word ")
        add(line, tables > 1);
      wasRow = isRow;
    }
  }

  const std::vector<GlossaryEntry> &entries() const { return entries_; }

  /// Of a word in any case, or of its plural; null: there is none.
  const GlossaryEntry *find(std::string_view word) const {
    const std::string lower = lowered(word);
    for (const GlossaryEntry &entry : entries_)
      for (const std::string &known : entry.words)
        if (lower == known || lower == known + "s" || lower == known + "es")
          return &entry;
    return nullptr;
  }

  /// Bytes of a text that are a term.
  struct Use {
    size_t begin, length;
    const GlossaryEntry *entry;
  };
  /// In order; of terms that begin at the same place the longest, and no everyday words.
  std::vector<Use> usesIn(std::string_view text) const {
    const std::string lower = lowered(text);
    std::vector<Use> uses;
    for (size_t at = 0; at < lower.size(); ++at) {
      if (!isLetter(lower[at]) || (at > 0 && joins(lower[at - 1])))
        continue;
      Use best{at, 0, nullptr};
      for (const GlossaryEntry &entry : entries_)
        if (!entry.isEveryday)
          for (const std::string &word : entry.words)
            if (const size_t length = lengthAt(lower, at, word); length > best.length)
              best = {at, length, &entry};
      if (best.entry)
        uses.push_back(best);
      at += best.length;
    }
    return uses;
  }

private:
  static bool isLetter(char c) { return c >= 'a' && c <= 'z'; }
  /// Makes a longer name of what stands beside it: "tile_sizes", "%tile", "tile-and-fuse".
  static bool joins(char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || std::string_view("_-%@#.").find(c) != std::string_view::npos;
  }
  static std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char &c : lower)
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '\n' ? ' ' : c;
    return lower;
  }
  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
      text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
      text.remove_suffix(1);
    return text;
  }

  /// 0: the word does not stand there.
  static size_t lengthAt(const std::string &text, size_t at, const std::string &word) {
    if (text.compare(at, word.size(), word) != 0)
      return 0;
    size_t end = at + word.size();
    if (end < text.size() && text[end] == 's')
      ++end;
    const bool goesOn =
        end < text.size() && joins(text[end]) && (text[end] != '.' || (end + 1 < text.size() && joins(text[end + 1])));
    return goesOn ? 0 : end - at;
  }

  void add(std::string_view row, bool isEveryday) {
    row = row.substr(2);
    const size_t middle = row.find(" | ");
    if (middle == std::string_view::npos)
      return;
    GlossaryEntry entry{
        .name = std::string(row.substr(0, middle)), .words = {}, .meaning = {}, .isEveryday = isEveryday};
    for (std::string_view names = entry.name; !names.empty();) {
      const size_t comma = std::min(names.find(','), names.size());
      entry.words.push_back(lowered(trimmed(names.substr(0, comma))));
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
    std::string_view meaning = row.substr(middle + 3);
    for (char c : meaning.substr(0, meaning.rfind('|')))
      if (c != '`' && c != '*')
        entry.meaning += c;
    entry.meaning = std::string(trimmed(entry.meaning));
    entries_.push_back(std::move(entry));
  }

  std::vector<GlossaryEntry> entries_;
};

} // namespace fuselage
