#include "core/ir/ops/NamedPlaces.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {

NamedPlaces::NamedPlaces(StringRef text) : text_(text) {
  for (size_t at = 0; at <= text.size();) {
    lines_.push_back(at);
    size_t end = text.find('\n', at);
    if (end == StringRef::npos)
      break;
    at = end + 1;
  }
}

std::vector<NamedResults> NamedPlaces::resultsBefore(unsigned line, unsigned column) const {
  StringRef before = lineOf(line).take_front(column > 0 ? column - 1 : 0).rtrim();
  std::vector<NamedResults> results;
  if (!before.consume_back("="))
    return results;
  do {
    before = before.rtrim();
    NamedResults result;
    StringRef group = before.rtrim("0123456789");
    if (group.ends_with(":") && !before.drop_front(group.size()).getAsInteger(10, result.count))
      before = group.drop_back();
    size_t length = before.size();
    while (length > 0 && isNameChar(before[length - 1]))
      --length;
    result.name = before.substr(length);
    before = before.take_front(length);
    if (result.name.empty() || !before.consume_back("%"))
      return {};
    before = before.rtrim();
    results.push_back(result);
  } while (before.consume_back(","));
  std::reverse(results.begin(), results.end());
  return results;
}

StringRef NamedPlaces::argumentAt(unsigned line, unsigned column) const {
  StringRef rest = lineOf(line).drop_front(std::min<size_t>(column > 0 ? column - 1 : 0, lineOf(line).size()));
  return rest.consume_front("%") ? rest.take_while(isNameChar) : StringRef();
}

StringRef NamedPlaces::lineOf(unsigned line) const {
  if (line == 0 || line > lines_.size())
    return {};
  StringRef rest = text_.drop_front(lines_[line - 1]);
  return rest.take_front(rest.find('\n'));
}

} // namespace fuselage
