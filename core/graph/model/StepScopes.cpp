#include "core/graph/model/StepScopes.h"
#include "core/graph/model/ScopeTree.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace fuselage {
namespace {

class StepMaker {
public:
  explicit StepMaker(FunctionGraph &function) : function_(function) {
    for (size_t n = 0; n < function.nodes.size(); ++n)
      nodeAt_[function.nodes[n].id] = static_cast<int>(n);
  }
  void add(const GraphRepeat &repeat);
  /// Leaves out the scopes that hold nothing any more; outer before inner.
  void finish();

private:
  GraphNode &node(OpId id) { return function_.nodes[nodeAt_.lookup(id)]; }
  int aroundAll(const GraphRepeat &repeat);
  int childOf(int scope, int around) const;
  bool isInLayer(int scope, int around) const;
  bool areSteps(const GraphRepeat &repeat, int around);
  int addScope(GraphScope::Kind kind, std::string path, std::string label, int parent, OpId first);
  int copyInto(int scope, int around, int step, OpId first, std::map<int, int> &copies);

  FunctionGraph &function_;
  llvm::DenseMap<OpId, int> nodeAt_;
};

/// The innermost scope around all nodes of a repeat.
int StepMaker::aroundAll(const GraphRepeat &repeat) {
  int around = node(repeat.instances.front().front()).scope;
  for (const std::vector<OpId> &instance : repeat.instances)
    for (OpId id : instance)
      around = commonScope(function_, around, node(id).scope);
  return around;
}

/// The scope right in `around` that holds `scope`; -1 if it is `around` itself.
int StepMaker::childOf(int scope, int around) const {
  int child = -1;
  for (; scope != around; scope = function_.scopes[scope].parent)
    child = scope;
  return child;
}

/// Whether a layer that has a name lies between.
bool StepMaker::isInLayer(int scope, int around) const {
  for (; scope != around; scope = function_.scopes[scope].parent)
    if (auto kind = function_.scopes[scope].kind; kind == GraphScope::Kind::Layer || kind == GraphScope::Kind::Stage)
      return true;
  return false;
}

bool StepMaker::areSteps(const GraphRepeat &repeat, int around) {
  std::set<std::string> inAll;
  for (size_t i = 0; i < repeat.instances.size(); ++i) {
    std::set<std::string> paths;
    for (OpId id : repeat.instances[i]) {
      int child = node(id).isWeight || node(id).isLeaf ? -1 : childOf(node(id).scope, around);
      if (child < 0)
        continue;
      if (isInLayer(node(id).scope, around))
        return false;
      paths.insert(function_.scopes[child].path);
    }
    if (i == 0)
      inAll = paths;
    std::erase_if(inAll, [&](const std::string &path) { return paths.count(path) == 0; });
  }
  return !inAll.empty();
}

int StepMaker::addScope(GraphScope::Kind kind, std::string path, std::string label, int parent, OpId first) {
  int depth = parent < 0 ? 0 : function_.scopes[parent].depth + 1;
  function_.scopes.push_back({.kind = kind,
                              .path = std::move(path),
                              .label = std::move(label),
                              .parent = parent,
                              .depth = depth,
                              .first = first});
  return static_cast<int>(function_.scopes.size()) - 1;
}

/// The scope of a step that stands for `scope` there, with those around it up to `around`.
int StepMaker::copyInto(int scope, int around, int step, OpId first, std::map<int, int> &copies) {
  if (scope == around)
    return step;
  auto [known, isNew] = copies.try_emplace(scope, -1);
  if (!isNew)
    return known->second;
  GraphScope original = function_.scopes[scope];
  int parent = copyInto(original.parent, around, step, first, copies);
  llvm::StringRef label = llvm::StringRef(original.label).split(" (").first; // "u (3)": in its step it is "u"
  return copies[scope] = addScope(original.kind, original.path, label.str(), parent, first);
}

void StepMaker::add(const GraphRepeat &repeat) {
  int around = aroundAll(repeat);
  if (!areSteps(repeat, around))
    return;
  std::string path = around < 0 ? "step " : function_.scopes[around].path + ".step ";
  for (size_t i = 0; i < repeat.instances.size(); ++i) {
    std::string number = std::to_string(i);
    int step = addScope(GraphScope::Kind::Layer, path + number, "step " + number, around, repeat.instances[i].front());
    std::map<int, int> copies;
    for (OpId id : repeat.instances[i])
      node(id).scope = copyInto(node(id).scope, around, step, id, copies);
  }
}

void StepMaker::finish() {
  std::vector<GraphScope> &scopes = function_.scopes;
  std::vector<char> isUsed(scopes.size(), false);
  for (const GraphNode &node : function_.nodes)
    for (int scope = node.scope; scope >= 0 && !isUsed[scope]; scope = scopes[scope].parent)
      isUsed[scope] = true;
  std::vector<int> order;
  for (size_t s = 0; s < scopes.size(); ++s)
    if (isUsed[s])
      order.push_back(static_cast<int>(s));
  llvm::stable_sort(order, [&](int a, int b) { return scopes[a].depth < scopes[b].depth; });
  std::vector<int> place(scopes.size(), -1);
  std::vector<GraphScope> kept;
  for (int s : order) {
    place[s] = static_cast<int>(kept.size());
    kept.push_back(std::move(scopes[s]));
  }
  auto moved = [&](int scope) { return scope < 0 ? -1 : place[scope]; };
  for (GraphScope &scope : kept)
    scope.parent = moved(scope.parent);
  for (GraphNode &node : function_.nodes)
    node.scope = moved(node.scope);
  scopes = std::move(kept);
}

} // namespace

void addStepScopes(FunctionGraph &function, const std::vector<GraphRepeat> &repeats) {
  if (function.scopes.empty())
    return;
  size_t before = function.scopes.size();
  StepMaker maker(function);
  for (const GraphRepeat &repeat : repeats)
    if (repeat.parent < 0)
      maker.add(repeat);
  if (function.scopes.size() > before)
    maker.finish();
}

} // namespace fuselage
