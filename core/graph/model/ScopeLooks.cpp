#include "core/graph/model/ScopeLooks.h"

namespace fuselage {
namespace {

constexpr int mostBoxes = 90; ///< that are taken in at once
constexpr int fewOps = 70;    ///< of a scope that is opened with all that is in it
constexpr int leastOps = 4;   ///< that are worth a frame

class LookChooser {
public:
  LookChooser(const FunctionGraph &function, const std::vector<int> &scopes, const std::vector<char> &visible);
  std::vector<ScopeLook> choose();

private:
  ScopeLook lookOf(int scope) const;
  bool isLayer(int scope) const { return function_.scopes[scope].kind == GraphScope::Kind::Layer; }

  const FunctionGraph &function_;
  std::vector<int> own_, all_, children_;         // by scope: ops right in it, ops, scopes right in it
  std::vector<char> holdsLayers_, isAroundLayer_; // the latter: it holds a layer and nothing else
  std::vector<ScopeLook> looks_;
  int shown_ = 0;
};

LookChooser::LookChooser(const FunctionGraph &function, const std::vector<int> &scopes,
                         const std::vector<char> &visible)
    : function_(function) {
  size_t count = function.scopes.size();
  own_.assign(count, 0);
  children_.assign(count, 0);
  holdsLayers_.assign(count, 0);
  isAroundLayer_.assign(count, 0);
  for (size_t n = 0; n < function.nodes.size(); ++n)
    if (visible[n])
      ++(scopes[n] < 0 ? shown_ : own_[scopes[n]]);
  all_ = own_;
  for (size_t s = count; s-- > 0;) {
    int parent = function.scopes[s].parent;
    isAroundLayer_[s] &= own_[s] == 0 && children_[s] == 1; // what is in it is known by now
    if (parent < 0) {
      ++shown_;
      continue;
    }
    all_[parent] += all_[s];
    children_[parent] += all_[s] > 0;
    holdsLayers_[parent] |= holdsLayers_[s] || isLayer(static_cast<int>(s));
    isAroundLayer_[parent] |= isAroundLayer_[s] || isLayer(static_cast<int>(s));
  }
}

ScopeLook LookChooser::lookOf(int scope) const {
  int parent = function_.scopes[scope].parent;
  if (!isLayer(scope) &&
      (all_[scope] < leastOps || isAroundLayer_[scope] || (parent >= 0 && all_[scope] == all_[parent])))
    return ScopeLook::Dissolved;
  // What stands in a frame by now is in sight; what stands in a node comes out of it when that is opened.
  int outer = parent;
  while (outer >= 0 && looks_[outer] == ScopeLook::Dissolved)
    outer = function_.scopes[outer].parent;
  bool insideOfFew = false;
  for (int around = outer; around >= 0; around = function_.scopes[around].parent)
    insideOfFew |= looks_[around] == ScopeLook::Collapsed && all_[around] <= fewOps;
  if (insideOfFew)
    return ScopeLook::Open;
  bool fits = shown_ + own_[scope] + children_[scope] - 1 <= mostBoxes;
  return holdsLayers_[scope] && fits ? ScopeLook::Open : ScopeLook::Collapsed;
}

std::vector<ScopeLook> LookChooser::choose() {
  looks_.assign(function_.scopes.size(), ScopeLook::Dissolved);
  std::vector<char> inSight(function_.scopes.size(), 0);
  for (size_t s = 0; s < looks_.size(); ++s) { // outer before inner
    int scope = static_cast<int>(s), parent = function_.scopes[s].parent;
    looks_[s] = lookOf(scope);
    inSight[s] = parent < 0 || (inSight[parent] && looks_[parent] != ScopeLook::Collapsed);
    if (inSight[s] && looks_[s] != ScopeLook::Collapsed)
      shown_ += own_[s] + children_[s] - 1;
  }
  return std::move(looks_);
}

} // namespace

std::vector<ScopeLook> lookOfScopes(const FunctionGraph &function, const std::vector<int> &scopes,
                                    const std::vector<char> &visible) {
  return LookChooser(function, scopes, visible).choose();
}

} // namespace fuselage
