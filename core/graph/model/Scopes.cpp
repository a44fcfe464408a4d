#include "core/graph/model/Scopes.h"
#include "core/graph/model/ScopeKinds.h"
#include "core/graph/model/ScopePlaces.h"
#include "core/graph/model/ScopeTree.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>
#include <set>

namespace fuselage {
namespace {

/// Makes scopes of places that belong to paths: the tree of calls.
class CallTree {
public:
  CallTree(FunctionGraph &function, const FlowIndex &flow, const ScopePlaces &places)
      : function_(function), flow_(flow), places_(places), ofPlace_(places.size(), -1), call_(places.size(), 0) {}
  void build();

private:
  struct Call {
    int scope, path;
    std::vector<int> places;
  };
  using Groups = std::map<int, std::vector<int>>;
  Groups childrenOf(const Call &call, bool &hasOwn) const;
  std::vector<std::vector<int>> splitRounds(int path, std::vector<int> places);
  void enter(Call call);
  void addCalls(const Call &around, int path, std::vector<int> places);
  std::vector<std::vector<int>> split(const std::vector<int> &around, const std::vector<int> &group);
  void assignNodes();

  FunctionGraph &function_;
  const FlowIndex &flow_;
  const ScopePlaces &places_;
  std::deque<Call> open_;
  std::vector<int> pathOf_;   // by scope
  std::vector<size_t> sizes_; // by scope: places
  std::vector<int> ofPlace_;  // by place: innermost scope
  std::vector<int> call_;     // by place: what split() found out; +n: in call n, -n: after call n
  int calls_ = 0;
  size_t budget_ = 4'000'000; // of places that split() looks at
};

/// By the next part of their paths, in order of names; what belongs right to the call is left out.
CallTree::Groups CallTree::childrenOf(const Call &call, bool &hasOwn) const {
  Groups groups;
  int depth = places_.names().depthOf(call.path) + 1;
  hasOwn = false;
  for (int place : call.places) {
    int path = places_.pathAt(place);
    if (path == call.path)
      hasOwn = true;
    else
      groups[places_.names().ancestorAt(path, depth)].push_back(place);
  }
  return groups;
}

/// A part that is left and entered again: together while no value goes out of it and comes back.
std::vector<std::vector<int>> CallTree::split(const std::vector<int> &around, const std::vector<int> &group) {
  auto first = llvm::lower_bound(around, group.front()), last = llvm::upper_bound(around, group.back());
  size_t span = static_cast<size_t>(last - first);
  if (span == group.size() || span > budget_)
    return {group};
  budget_ -= span;
  std::vector<std::vector<int>> calls(1);
  int current = ++calls_;
  auto member = group.begin();
  for (auto at = first; at != last; ++at) {
    bool isIn = member != group.end() && *member == *at;
    bool fromCall = false, isAfterCall = false;
    for (int from : places_.inputsOf(*at)) {
      fromCall |= call_[from] == current;
      isAfterCall |= call_[from] == -current;
    }
    if (!isIn) {
      call_[*at] = fromCall || isAfterCall ? -current : 0;
      continue;
    }
    ++member;
    if (isAfterCall) {
      current = ++calls_;
      calls.emplace_back();
    }
    call_[*at] = current;
    calls.back().push_back(*at);
  }
  return calls;
}

/// Where all parts of a module are entered equally often, one after the other, the module itself is: its weights are
/// shared by several layers.
std::vector<std::vector<int>> CallTree::splitRounds(int path, std::vector<int> places) {
  Call call{.scope = -1, .path = path, .places = std::move(places)};
  bool hasOwn = false;
  Groups groups = childrenOf(call, hasOwn);
  while (groups.size() == 1 && !hasOwn) {
    call.path = groups.begin()->first;
    groups = childrenOf(call, hasOwn);
  }
  size_t rounds = 0;
  std::vector<int> starts; // of the part that comes first
  for (const auto &[part, group] : groups) {
    std::vector<std::vector<int>> calls = split(call.places, group);
    if (calls.size() < 2 || (rounds != 0 && calls.size() != rounds))
      return {std::move(call.places)};
    if (rounds == 0 || calls.front().front() < starts.front()) {
      starts.clear();
      for (const std::vector<int> &entered : calls)
        starts.push_back(entered.front());
    }
    rounds = calls.size();
  }
  if (groups.size() < 2)
    return {std::move(call.places)};
  std::vector<std::vector<int>> split(1);
  size_t next = 1;
  for (int place : call.places) {
    if (next < starts.size() && place >= starts[next]) {
      split.emplace_back();
      ++next;
    }
    split.back().push_back(place);
  }
  return split;
}

void CallTree::addCalls(const Call &around, int path, std::vector<int> places) {
  const ScopeNames &names = places_.names();
  std::vector<std::vector<int>> calls;
  for (std::vector<int> &call : split(around.places, places))
    for (std::vector<int> &round : splitRounds(path, std::move(call)))
      calls.push_back(std::move(round));
  for (size_t number = 0; number < calls.size(); ++number) {
    GraphScope scope;
    scope.path = names.spell(path, places_.root());
    scope.label = names.shortName(path, places_.root());
    if (number > 0)
      scope.label += llvm::formatv(" ({0})", number + 1).str();
    scope.parent = around.scope;
    scope.depth = around.scope < 0 ? 0 : function_.scopes[around.scope].depth + 1;
    scope.first = function_.nodes[places_.nodeAt(calls[number].front())].id;
    sizes_.push_back(calls[number].size());
    open_.push_back(
        {.scope = static_cast<int>(function_.scopes.size()), .path = path, .places = std::move(calls[number])});
    function_.scopes.push_back(std::move(scope));
    pathOf_.push_back(path);
  }
}

void CallTree::enter(Call call) {
  const ScopeNames &names = places_.names();
  for (;;) {
    for (int place : call.places)
      ofPlace_[place] = call.scope;
    bool hasOwn = false;
    Groups groups = childrenOf(call, hasOwn);
    // A part that is all of the one around it says nothing new, unless it is one of a list.
    bool isAll = groups.size() == 1 && !hasOwn && !isNumber(names.partOf(groups.begin()->first));
    if (isAll) {
      call.path = groups.begin()->first;
      continue;
    }
    std::vector<std::pair<int, int>> order; // first place, path
    for (const auto &[path, places] : groups)
      order.emplace_back(places.front(), path);
    llvm::sort(order);
    for (auto [first, path] : order)
      addCalls(call, path, std::move(groups[path]));
    return;
  }
}

void CallTree::build() {
  Call all{.scope = -1, .path = places_.root(), .places = {}};
  for (size_t place = 0; place < places_.size(); ++place)
    all.places.push_back(static_cast<int>(place));
  open_.push_back(std::move(all));
  while (!open_.empty()) {
    Call next = std::move(open_.front());
    open_.pop_front();
    enter(std::move(next));
  }
  markScopeKinds(function_.scopes, pathOf_, sizes_, places_.names());
  assignNodes();
}

/// Nodes inside of an op go with it, and weights and constants with all that read them.
void CallTree::assignNodes() {
  auto &nodes = function_.nodes;
  constexpr int unread = -2;
  std::vector<int> reader(nodes.size(), unread);
  for (size_t n = nodes.size(); n-- > 0;) {
    int node = static_cast<int>(n);
    if (int place = places_.placeOf(node); place >= 0)
      nodes[n].scope = ofPlace_[place];
    else if (reader[n] != unread && (nodes[n].id >= 0 || nodes[n].isWeight)) // the user's inputs stand outside
      nodes[n].scope = reader[n];
    for (const FlowIndex::Input &input : flow_.inputsOf(node))
      reader[input.from] =
          reader[input.from] == unread ? nodes[n].scope : commonScope(function_, reader[input.from], nodes[n].scope);
  }
}

} // namespace

/// Layers that share their weights are called the same: "albert_layers.0 (3 of 12)", and what is in them after that;
/// among each other "layer 3 of 12".
static void numberCalls(std::vector<GraphScope> &scopes) {
  std::map<std::string, std::vector<size_t>> calls;
  for (size_t s = 0; s < scopes.size(); ++s)
    if (scopes[s].kind == GraphScope::Kind::Layer)
      calls[scopes[s].path].push_back(s);
  std::vector<std::string> plain; // paths as they were
  for (const GraphScope &scope : scopes)
    plain.push_back(scope.path);
  for (const auto &[path, members] : calls)
    for (size_t number = 0; members.size() > 1 && number < members.size(); ++number) {
      GraphScope &scope = scopes[members[number]];
      scope.path += llvm::formatv(" ({0} of {1})", number + 1, members.size()).str();
      scope.label = llvm::formatv("layer {0} of {1}", number + 1, members.size());
    }
  for (size_t s = 0; s < scopes.size(); ++s) { // outer before inner
    int parent = scopes[s].parent;
    if (parent < 0 || scopes[parent].path == plain[parent] || scopes[s].path != plain[s])
      continue;
    llvm::StringRef rest = plain[s];
    if (rest.consume_front(plain[parent]))
      scopes[s].path = scopes[parent].path + rest.str();
  }
}

void findScopes(FunctionGraph &function, const FlowIndex &flow, const std::vector<std::string> &places) {
  bool isNamed = llvm::any_of(function.nodes, [](const GraphNode &node) { return !node.parameter.empty(); }) ||
                 llvm::any_of(places, [](const std::string &place) { return !place.empty(); });
  if (!isNamed)
    return;
  ScopePlaces found(flow, places);
  if (llvm::any_of(llvm::seq<size_t>(0, found.size()),
                   [&](size_t place) { return found.pathAt(place) != found.root(); }))
    CallTree(function, flow, found).build();
  numberCalls(function.scopes);
}

/// By layer, the kinds of ops in it: "matmul" of "matmul 128x768x768".
static std::map<int, std::set<llvm::StringRef>> workOfLayers(const FunctionGraph &function) {
  std::map<int, std::set<llvm::StringRef>> work;
  for (const GraphNode &node : function.nodes)
    for (int scope = node.isWeight || node.isLeaf ? -1 : node.scope; scope >= 0; scope = function.scopes[scope].parent)
      if (function.scopes[scope].kind == GraphScope::Kind::Layer)
        work[scope].insert(llvm::StringRef(node.label).split(' ').first);
  return work;
}

/// Whether both do much the same.
static bool areAlike(const std::set<llvm::StringRef> &one, const std::set<llvm::StringRef> &other) {
  size_t same = llvm::count_if(one, [&](llvm::StringRef kind) { return other.count(kind) > 0; });
  return 2 * same >= one.size() + other.size() - same;
}

/// Layers that follow each other in a list and are alike, two or more.
static std::vector<std::vector<int>> groupsOf(const std::vector<int> &list,
                                              std::map<int, std::set<llvm::StringRef>> &work) {
  std::vector<std::vector<int>> groups;
  for (int layer : list) {
    if (groups.empty() || !areAlike(work[groups.back().back()], work[layer]))
      groups.emplace_back();
    groups.back().push_back(layer);
  }
  llvm::erase_if(groups, [](const std::vector<int> &group) { return group.size() < 2; });
  return groups;
}

/// What the names of layers have in common: "encoder.layer" of "encoder.layer.3"; of names that are numbers alone, from
/// which to which.
static std::string labelOfList(const std::string &first, const std::string &last) {
  std::string stem = llvm::StringRef(first).rtrim("0123456789").rtrim("._ ").str();
  return stem.empty() ? first + " to " + last : stem;
}

std::vector<GraphRepeat> repeatsOfLayers(const FunctionGraph &function) {
  const auto &scopes = function.scopes;
  std::vector<size_t> layersIn(scopes.size(), 0); // by scope
  for (size_t s = scopes.size(); s-- > 0;)
    if (scopes[s].parent >= 0)
      layersIn[scopes[s].parent] += scopes[s].kind == GraphScope::Kind::Layer ? 1 : layersIn[s];
  std::map<int, std::vector<int>> lists; // layers by the scope around them; one that holds a single layer is part of it
  for (size_t s = 0; s < scopes.size(); ++s) {
    if (scopes[s].kind != GraphScope::Kind::Layer)
      continue;
    int around = scopes[s].parent;
    while (around >= 0 && scopes[around].kind != GraphScope::Kind::Layer && layersIn[around] == 1)
      around = scopes[around].parent;
    lists[around].push_back(static_cast<int>(s));
  }
  std::vector<GraphRepeat> repeats;
  std::map<int, std::pair<size_t, size_t>> places; // by layer: repeat, instance
  std::map<int, std::set<llvm::StringRef>> work = workOfLayers(function);
  std::vector<std::vector<int>> groups;
  for (const auto &[parent, list] : lists)
    llvm::append_range(groups, groupsOf(list, work));
  for (const std::vector<int> &layers : groups) {
    GraphRepeat &repeat = repeats.emplace_back();
    repeat.first = function.scopes[layers.front()].first;
    repeat.label = labelOfList(function.scopes[layers.front()].path, function.scopes[layers.back()].path);
    for (size_t i = 0; i < layers.size(); ++i) {
      places[layers[i]] = {repeats.size() - 1, i};
      repeat.names.push_back(function.scopes[layers[i]].path);
    }
    repeat.instances.resize(layers.size());
  }
  for (const GraphNode &node : function.nodes)
    for (int scope = node.scope; scope >= 0; scope = function.scopes[scope].parent)
      if (auto place = places.find(scope); place != places.end())
        repeats[place->second.first].instances[place->second.second].push_back(node.id);
  return repeats;
}

std::vector<GraphRepeat> repeatsBesides(const FunctionGraph &function, std::vector<GraphRepeat> repeats) {
  if (function.scopes.empty())
    return repeats;
  llvm::DenseMap<OpId, int> scopeOf;
  for (const GraphNode &node : function.nodes)
    scopeOf[node.id] = node.scope;
  std::vector<int> place(repeats.size(), -1); // among those kept
  std::vector<GraphRepeat> kept;
  for (size_t r = 0; r < repeats.size(); ++r) {
    GraphRepeat &repeat = repeats[r];
    int scope = scopeOf.lookup(repeat.first);
    bool lost = repeat.parent >= 0 && place[repeat.parent] < 0;
    bool inOne = llvm::all_of(repeat.instances, [&](const std::vector<OpId> &nodes) {
      return llvm::all_of(nodes, [&](OpId id) { return scopeOf.lookup(id) == scope; });
    });
    if (lost) { // what was around it is cut
      repeat.parent = repeat.parentInstance = -1;
      repeat.depth = 0;
    } else if (repeat.parent >= 0) {
      repeat.parent = place[repeat.parent];
    }
    if (!inOne)
      continue;
    place[r] = static_cast<int>(kept.size());
    kept.push_back(std::move(repeat));
  }
  return kept;
}

} // namespace fuselage
