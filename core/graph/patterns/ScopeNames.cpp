#include "core/graph/patterns/ScopeNames.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

bool isNumber(llvm::StringRef part) {
  return !part.empty() && part.find_if_not([](char c) { return llvm::isDigit(c); }) == llvm::StringRef::npos;
}

/// "p_encoder_layer_3_fc_weight" into "p_encoder_layer_3" and "fc_weight".
static std::vector<std::string> splitAtNumbers(llvm::StringRef name) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at = 0; at < name.size();) {
    size_t end = std::min(name.find('_', at), name.size());
    if (isNumber(name.slice(at, end)) && at > begin && end < name.size()) {
      parts.push_back(name.slice(begin, end).str());
      begin = end + 1;
    }
    at = end + 1;
  }
  if (begin < name.size())
    parts.push_back(name.substr(begin).str());
  return parts;
}

std::vector<std::string> scopePath(llvm::StringRef name) {
  constexpr size_t mostParts = 12, longestPart = 80;
  std::vector<std::string> parts;
  while (!name.empty() && parts.size() <= mostParts) {
    size_t end = std::min(name.find_first_of("./[]'\":"), name.size());
    llvm::StringRef part = name.take_front(end);
    name = name.drop_front(std::min(end + 1, name.size()));
    if (!part.empty() && part.front() != '_' && !part.contains('(') && part.size() <= longestPart)
      parts.push_back(part.str());
  }
  if (parts.size() == 1)
    parts = splitAtNumbers(parts.front());
  if (!parts.empty())
    parts.pop_back();
  return parts;
}

int ScopeNames::add(const std::vector<std::string> &path) {
  constexpr size_t mostPaths = 200'000;
  int at = 0;
  for (const std::string &part : path) {
    auto known = nodes_[at].children.find(part);
    if (known != nodes_[at].children.end()) {
      at = known->second;
      continue;
    }
    if (nodes_.size() >= mostPaths)
      return -1;
    int made = static_cast<int>(nodes_.size());
    nodes_[at].children.emplace(part, made);
    nodes_.push_back({.parent = at, .depth = nodes_[at].depth + 1, .part = part, .children = {}});
    at = made;
  }
  return at;
}

int ScopeNames::ancestorAt(int path, int depth) const {
  while (nodes_[path].depth > depth)
    path = nodes_[path].parent;
  return path;
}

int ScopeNames::common(int a, int b) const {
  if (a < 0 || b < 0)
    return a < 0 ? b : a;
  a = ancestorAt(a, nodes_[b].depth);
  b = ancestorAt(b, nodes_[a].depth);
  while (a != b) {
    a = nodes_[a].parent;
    b = nodes_[b].parent;
  }
  return a;
}

std::vector<char> ScopeNames::numbered() const {
  std::map<std::pair<int, llvm::StringRef>, int> alike; // by parent and stem
  auto stemOf = [&](int path) { return llvm::StringRef(nodes_[path].part).rtrim("0123456789"); };
  auto hasStem = [&](int path) {
    return stemOf(path).size() < nodes_[path].part.size() && !nodes_[path].children.empty();
  };
  int count = static_cast<int>(nodes_.size());
  for (int path = 1; path < count; ++path)
    if (hasStem(path))
      ++alike[{nodes_[path].parent, stemOf(path)}];
  std::vector<char> numbered(nodes_.size(), 0);
  for (int path = 1; path < count; ++path)
    numbered[path] = isNumber(nodes_[path].part) || (hasStem(path) && alike[{nodes_[path].parent, stemOf(path)}] > 1);
  return numbered;
}

std::string ScopeNames::spell(int path, int root) const {
  std::string text;
  for (; path != root && path != 0; path = nodes_[path].parent)
    text = text.empty() ? nodes_[path].part : nodes_[path].part + "." + text;
  return text;
}

std::string ScopeNames::shortName(int path, int root) const {
  int from = path;
  while (from != root && isNumber(nodes_[from].part))
    from = nodes_[from].parent;
  return spell(path, from == root ? root : nodes_[from].parent);
}

} // namespace fuselage
