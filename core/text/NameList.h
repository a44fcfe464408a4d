// Many names in few words. Free of LLVM.
#pragma once
#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <vector>

namespace fuselage {

namespace name_list {

/// Names that are equal but for the number at their end.
struct Run {
  std::string prefix;
  std::set<unsigned> numbers; ///< none: the prefix is the name
};

/// A name cut before the number at its end, if it has one after something else.
inline Run runOf(const std::string &name) {
  size_t digits = name.find_last_not_of("0123456789") + 1;
  unsigned number = 0;
  auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
  bool isNumbered = digits > 0 && digits < name.size() && error == std::errc();
  return isNumbered ? Run{name.substr(0, digits), {number}} : Run{name, {}};
}

/// "layer.0 to 3", "7".
inline void appendRanges(const Run &run, std::vector<std::string> &parts) {
  std::string prefix = run.prefix;
  for (auto begin = run.numbers.begin(); begin != run.numbers.end();) {
    unsigned first = *begin, last = first;
    for (++begin; begin != run.numbers.end() && *begin == last + 1; ++begin)
      ++last;
    std::string text = prefix + std::to_string(first);
    if (last != first)
      text += (last == first + 1 ? ", " : " to ") + std::to_string(last);
    parts.push_back(std::move(text));
    prefix.clear();
  }
}

} // namespace name_list

/// The names, each once, in the order of the first of a kind: numbers at their ends that follow each other become a
/// range, "encoder.layer.0 to 11, pooler". After some, "and 7 more".
inline std::string listNames(const std::vector<std::string> &names) {
  std::vector<name_list::Run> runs;
  for (const std::string &name : names) {
    name_list::Run one = name_list::runOf(name);
    auto same = std::find_if(runs.begin(), runs.end(), [&](const name_list::Run &run) {
      return run.prefix == one.prefix && run.numbers.empty() == one.numbers.empty();
    });
    if (same == runs.end())
      runs.push_back(std::move(one));
    else
      same->numbers.merge(one.numbers);
  }
  std::vector<std::string> parts;
  for (const name_list::Run &run : runs) {
    if (run.numbers.empty())
      parts.push_back(run.prefix);
    name_list::appendRanges(run, parts);
  }
  constexpr size_t most = 6;
  std::string text;
  for (size_t part = 0; part < std::min(parts.size(), most); ++part)
    text += (part == 0 ? "" : ", ") + parts[part];
  return parts.size() > most ? text + ", and " + std::to_string(parts.size() - most) + " more" : text;
}

} // namespace fuselage
