#include "core/graph/model/ScopeKinds.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace fuselage {
namespace {

using Kind = GraphScope::Kind;

class KindMarker {
public:
  KindMarker(std::vector<GraphScope> &scopes, const std::vector<int> &paths, const std::vector<size_t> &sizes,
             const ScopeNames &names)
      : scopes_(scopes), paths_(paths), sizes_(sizes), names_(names), numbered_(names.numbered()) {}
  void mark();

private:
  bool isNumbered(size_t scope) const { return numbered_[paths_[scope]]; }
  std::string classOf(int path) const;
  bool isLayerLike(int scope) const;
  double similarity(int a, int b) const;
  bool areLayers(const std::vector<int> &members) const;

  std::vector<GraphScope> &scopes_;
  const std::vector<int> &paths_;
  const std::vector<size_t> &sizes_;
  const ScopeNames &names_;
  std::vector<char> numbered_;
};

/// The path with its numbers made alike.
std::string KindMarker::classOf(int path) const {
  std::string text;
  for (; path != 0; path = names_.parentOf(path)) {
    llvm::StringRef part = names_.partOf(path);
    text = (numbered_[path] ? part.rtrim("0123456789").str() + '#' : part.str()) + '.' + text;
  }
  return text;
}

/// Holds several modules, and is no short list of them (a convolution and its normalization).
bool KindMarker::isLayerLike(int scope) const {
  int path = paths_[scope];
  while (names_.childrenOf(path).size() == 1)
    path = names_.childrenOf(path).begin()->second;
  constexpr size_t shortList = 2;
  const auto &children = names_.childrenOf(path);
  return !children.empty() && (children.size() > shortList || !llvm::all_of(children, [&](const auto &child) {
                                 return isNumber(child.first) && names_.childrenOf(child.second).empty();
                               }));
}

/// How much of what two scopes hold is called the same.
double KindMarker::similarity(int a, int b) const {
  const auto &left = names_.childrenOf(paths_[a]), &right = names_.childrenOf(paths_[b]);
  size_t same = llvm::count_if(left, [&](const auto &child) { return right.count(child.first) > 0; });
  size_t all = left.size() + right.size() - same;
  return all == 0 ? 1 : static_cast<double>(same) / static_cast<double>(all);
}

bool KindMarker::areLayers(const std::vector<int> &members) const {
  constexpr double most = 0.6, alike = 0.5;
  size_t layerLike = llvm::count_if(members, [&](int scope) { return isLayerLike(scope); });
  if (static_cast<double>(layerLike) < most * static_cast<double>(members.size()))
    return false;
  double sum = 0;
  size_t pairs = 0;
  for (size_t i = 1; i < members.size(); ++i) {
    int a = members[i - 1], b = members[i];
    if (scopes_[a].parent != scopes_[b].parent || !isLayerLike(a) || !isLayerLike(b))
      continue;
    sum += similarity(a, b);
    ++pairs;
  }
  return pairs == 0 || sum >= alike * static_cast<double>(pairs);
}

void KindMarker::mark() {
  std::map<std::string, std::vector<int>> classes; // scopes whose paths differ in numbers alone
  for (size_t s = 0; s < scopes_.size(); ++s)
    if (isNumbered(s))
      classes[classOf(paths_[s])].push_back(static_cast<int>(s));
  for (const auto &[name, members] : classes) {
    if (areLayers(members))
      for (int scope : members)
        if (isLayerLike(scope))
          scopes_[scope].kind = Kind::Layer;
  }
  std::vector<size_t> inLayers(scopes_.size(), 0); // ops in layers inside
  for (size_t s = scopes_.size(); s-- > 0;) {
    GraphScope &scope = scopes_[s];
    bool isMostlyLayers = 2 * inLayers[s] > sizes_[s];
    if (isNumbered(s) && isMostlyLayers)
      scope.kind = Kind::Stage;
    if (scope.parent >= 0)
      inLayers[scope.parent] += scope.kind == Kind::Layer ? sizes_[s] : inLayers[s];
  }
  for (GraphScope &scope : scopes_)
    for (int around = scope.parent; around >= 0; around = scopes_[around].parent)
      if (scopes_[around].kind == Kind::Layer || scopes_[around].kind == Kind::Block)
        scope.kind = Kind::Block;
}

} // namespace

void markScopeKinds(std::vector<GraphScope> &scopes, const std::vector<int> &paths, const std::vector<size_t> &sizes,
                    const ScopeNames &names) {
  KindMarker(scopes, paths, sizes, names).mark();
}

} // namespace fuselage
