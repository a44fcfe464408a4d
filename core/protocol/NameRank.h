// How well a name fits what somebody types: engine and window go by the same.
#pragma once
#include <string_view>

namespace fuselage {

/// From best to worst; NoMatch: it does not fit.
enum class NameRank { Exact, Prefix, WordStart, Inside, Scattered, NoMatch };

namespace name_rank {
inline bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// The letters of the word stand in the name in their order, the first of them at the start of a word.
inline bool isScattered(std::string_view name, std::string_view word) {
  for (size_t start = 0; start < name.size(); ++start) {
    if (name[start] != word[0] || (start > 0 && isWordChar(name[start - 1])))
      continue;
    size_t at = start, next = 0;
    for (; at < name.size() && next < word.size(); ++at)
      next += name[at] == word[next];
    if (next == word.size())
      return true;
  }
  return false;
}

inline NameRank ofWord(std::string_view name, std::string_view word) {
  size_t at = name.find(word);
  if (at == 0)
    return name.size() == word.size() ? NameRank::Exact : NameRank::Prefix;
  bool isInside = at != std::string_view::npos;
  for (; at != std::string_view::npos; at = name.find(word, at + 1))
    if (!isWordChar(name[at - 1]))
      return NameRank::WordStart;
  if (isInside)
    return NameRank::Inside;
  constexpr size_t longest = 200; // the search takes the square of it at worst
  return word.size() > 1 && name.size() <= longest && isScattered(name, word) ? NameRank::Scattered : NameRank::NoMatch;
}
} // namespace name_rank

/// Both in lower case. All words of the pattern have to fit, in any order; the worst of them counts. Sigils before
/// a name (% and @) are no part of it, unless the pattern has them.
inline NameRank rankOf(std::string_view name, std::string_view pattern) {
  if (!name.empty() && (name[0] == '%' || name[0] == '@') && !pattern.empty() && pattern[0] != name[0])
    name.remove_prefix(1);
  if (name == pattern)
    return NameRank::Exact;
  NameRank worst = NameRank::Exact;
  bool isFirst = true;
  for (size_t at = 0; at < pattern.size();) {
    size_t end = pattern.find(' ', at);
    if (end == std::string_view::npos)
      end = pattern.size();
    if (end > at) {
      NameRank rank = name_rank::ofWord(name, pattern.substr(at, end - at));
      if (!isFirst && rank < NameRank::WordStart) // one of several words is not all of it
        rank = NameRank::WordStart;
      if (rank > worst)
        worst = rank;
      isFirst = false;
    }
    if (worst == NameRank::NoMatch)
      return worst;
    at = end + 1;
  }
  return worst == NameRank::Exact ? NameRank::Prefix : worst;
}

} // namespace fuselage
