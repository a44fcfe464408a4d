// Names of places in few words. Free of LLVM.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace fuselage {

/// "layer 1 to 12, matmul_3": each name once, in this order, those that follow each other by their numbers as one. At
/// most `most` of them, then ".. 77 more".
inline std::string placeList(const std::vector<std::string> &names, size_t most) {
  struct Range {
    std::string name, prefix, last;
    long number = -1; ///< -1: there is none at the end of the name
  };
  std::vector<Range> ranges;
  std::set<std::string> seen;
  for (const std::string &name : names) {
    if (!seen.insert(name).second)
      continue;
    const size_t digits = name.find_last_not_of("0123456789") + 1; // npos + 1 is 0
    const bool isNumbered = digits < name.size() && name.size() - digits < 9;
    Range range{name, name.substr(0, digits), "", isNumbered ? std::stol(name.substr(digits)) : -1};
    const bool goesOn = isNumbered && !ranges.empty() && ranges.back().number + 1 == range.number &&
                        ranges.back().prefix == range.prefix;
    if (!goesOn) {
      ranges.push_back(range);
      continue;
    }
    ranges.back().number = range.number;
    ranges.back().last = name.substr(digits);
  }
  std::string text;
  for (size_t i = 0; i < ranges.size() && i < most; ++i)
    text += (i ? ", " : "") + ranges[i].name + (ranges[i].last.empty() ? "" : " to " + ranges[i].last);
  return ranges.size() > most ? text + ", .. " + std::to_string(ranges.size() - most) + " more" : text;
}

} // namespace fuselage
