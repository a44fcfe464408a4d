#include "core/graph/model/Repeats.h"
#include "core/graph/model/PeriodicRuns.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace fuselage {
namespace {

/// A repeat in places of the sequence: `count` instances of `period` places each.
struct Found {
  size_t start = 0, period = 0, count = 0;
  size_t end() const { return start + period * count; }
  size_t saved() const { return period * (count - 1); }
};

/// Where an operand comes from, seen from an instance.
struct Source {
  enum class Kind { Inside, Leaf, Outside } kind = Kind::Outside;
  size_t what = 0; ///< the offset in the instance, or the leaf's structure
  unsigned result = 0;
  bool operator==(const Source &) const = default;
};

class RepeatFinder {
public:
  RepeatFinder(const FunctionGraph &function, const RepeatOptions &options)
      : function_(function), options_(options) {}
  std::vector<GraphRepeat> find();

private:
  struct InEdge {
    int from;
    unsigned result;
  };
  llvm::ArrayRef<InEdge> inputsOf(int node) const {
    return llvm::ArrayRef(inputs_).slice(inputStart_[node], inputStart_[node + 1] - inputStart_[node]);
  }
  void indexEdges();
  void findHomes();
  void findLeaves();
  void makeSequence();
  void measureCuts();
  void addCandidates(const PeriodicRun &run, std::vector<Found> &candidates) const;
  bool staysInside(size_t start, size_t period, size_t count) const;
  Source sourceOf(const InEdge &input, size_t start, size_t period) const;
  bool sameWiring(size_t a, size_t b, size_t period) const;
  void choose(std::vector<Found> candidates);
  void attachLeaves();
  std::vector<GraphRepeat> describe() const;
  std::string labelOf(const Found &found) const;

  const FunctionGraph &function_;
  const RepeatOptions &options_;
  llvm::DenseMap<OpId, int> nodeAt_;
  std::vector<int> inputStart_;
  std::vector<InEdge> inputs_;
  std::vector<int> home_, depth_; // by node: the innermost cluster that is no planned dispatch; its depth
  std::vector<char> hasBody_;     // by node
  std::vector<int> leaf_;         // by node: structure of a constant expression, or -1
  std::vector<int> sequence_;     // node by place
  std::vector<int> place_;        // by node, or -1
  std::vector<int> live_;         // by place: values that cross the cut in front of it
  std::vector<int> cutsDispatch_; // by place: planned dispatches that the cut in front of it cuts
  std::vector<Found> chosen_;     // outer before inner
  std::vector<int> outerOf_;      // by chosen repeat: owner around it, or -1
  std::vector<std::pair<int, int>> owners_; // an instance: chosen repeat, number
  std::vector<int> ownerOf_;      // by node: innermost instance, index into owners_, or -1
};

void RepeatFinder::indexEdges() {
  const auto &nodes = function_.nodes;
  nodeAt_.reserve(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n)
    nodeAt_[nodes[n].id] = static_cast<int>(n);
  inputStart_.assign(nodes.size() + 1, 0);
  std::vector<std::pair<int, int>> ends; // from, to
  ends.reserve(function_.edges.size());
  for (const GraphEdge &edge : function_.edges) {
    auto from = nodeAt_.find(edge.from), to = nodeAt_.find(edge.to);
    ends.push_back(from == nodeAt_.end() || to == nodeAt_.end() ? std::pair(-1, -1)
                                                                : std::pair(from->second, to->second));
    if (ends.back().second >= 0)
      ++inputStart_[ends.back().second + 1];
  }
  for (size_t n = 0; n < nodes.size(); ++n)
    inputStart_[n + 1] += inputStart_[n];
  inputs_.resize(inputStart_.back());
  std::vector<int> next(inputStart_.begin(), inputStart_.end() - 1);
  for (size_t e = 0; e < ends.size(); ++e)
    if (ends[e].second >= 0)
      inputs_[next[ends[e].second]++] = {ends[e].first, function_.edges[e].result};
}

/// Planned dispatches are no nesting of the program's.
void RepeatFinder::findHomes() {
  const auto &clusters = function_.clusters;
  std::vector<int> real(clusters.size()), depth(clusters.size());
  hasBody_.assign(function_.nodes.size(), 0);
  for (size_t c = 0; c < clusters.size(); ++c) {
    int parent = clusters[c].parent;
    bool planned = isPlannedCluster(clusters[c].id);
    real[c] = planned ? (parent < 0 ? -1 : real[parent]) : static_cast<int>(c);
    depth[c] = (parent < 0 ? -1 : depth[parent]) + !planned;
    if (auto node = nodeAt_.find(clusters[c].id); node != nodeAt_.end())
      hasBody_[node->second] = 1;
  }
  for (const GraphNode &node : function_.nodes) {
    home_.push_back(node.cluster < 0 ? -1 : real[node.cluster]);
    depth_.push_back(node.cluster < 0 ? -1 : depth[node.cluster]);
  }
}

/// Constants, empty tensors, and what is cheaply made of nothing else (fills, broadcasts): where
/// they stand in the program is chance, often far ahead of their use and shared.
void RepeatFinder::findLeaves() {
  constexpr int mostLevels = 2;
  const auto &nodes = function_.nodes;
  leaf_.assign(nodes.size(), -1);
  std::vector<int> level(nodes.size(), 0);
  std::map<std::vector<int>, int> structures;
  for (size_t n = 0; n < nodes.size(); ++n) {
    NodeKind kind = nodes[n].kind;
    bool source = kind == NodeKind::Constant || kind == NodeKind::Empty;
    bool made = kind == NodeKind::Compute || kind == NodeKind::Reshape || kind == NodeKind::Slice;
    llvm::ArrayRef<InEdge> inputs = inputsOf(static_cast<int>(n));
    if (hasBody_[n] || (!source && (!made || inputs.empty())))
      continue;
    std::vector<int> structure{nodes[n].shape};
    bool all = true;
    for (const InEdge &input : inputs) {
      all &= static_cast<size_t>(input.from) < n && leaf_[input.from] >= 0;
      if (!all)
        break;
      level[n] = std::max(level[n], level[input.from] + 1);
      structure.push_back(leaf_[input.from]);
      structure.push_back(static_cast<int>(input.result));
    }
    if (all && level[n] <= mostLevels)
      leaf_[n] = structures.try_emplace(std::move(structure), static_cast<int>(structures.size())).first->second;
  }
}

void RepeatFinder::makeSequence() {
  const auto &nodes = function_.nodes;
  place_.assign(nodes.size(), -1);
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (leaf_[n] >= 0 || nodes[n].id < 0)
      continue; // arguments belong to their region
    place_[n] = static_cast<int>(sequence_.size());
    sequence_.push_back(static_cast<int>(n));
  }
}

/// Counts, for every place, what a cut in front of it would cut.
void RepeatFinder::measureCuts() {
  size_t size = sequence_.size();
  live_.assign(size + 2, 0);
  cutsDispatch_.assign(size + 2, 0);
  llvm::DenseMap<std::pair<int, unsigned>, int> lastUse;
  std::vector<std::pair<int, int>> span(function_.clusters.size(), {INT_MAX, -1});
  for (size_t at = 0; at < size; ++at) {
    int node = sequence_[at];
    for (const InEdge &input : inputsOf(node))
      if (place_[input.from] >= 0)
        lastUse[{input.from, input.result}] = static_cast<int>(at);
    if (int cluster = function_.nodes[node].cluster; cluster >= 0 && isPlannedCluster(function_.clusters[cluster].id)) {
      span[cluster].first = std::min(span[cluster].first, static_cast<int>(at));
      span[cluster].second = static_cast<int>(at);
    }
  }
  for (auto [value, last] : lastUse) {
    int defined = place_[value.first];
    if (last > defined) {
      ++live_[defined + 1];
      --live_[last + 1];
    }
  }
  for (auto [first, last] : span)
    if (last > first) {
      ++cutsDispatch_[first + 1];
      --cutsDispatch_[last + 1];
    }
  for (size_t at = 1; at < live_.size(); ++at) {
    live_[at] += live_[at - 1];
    cutsDispatch_[at] += cutsDispatch_[at - 1];
  }
}

/// Whether all instances lie in one region, begin with a node right in it, and cut no dispatch.
bool RepeatFinder::staysInside(size_t start, size_t period, size_t count) const {
  for (size_t k = 0; k <= count; ++k)
    if (cutsDispatch_[start + k * period])
      return false;
  int home = home_[sequence_[start]];
  for (size_t k = 1; k < count; ++k)
    if (home_[sequence_[start + k * period]] != home)
      return false;
  // A cut must not fall between an op and its body: the node behind the end is no deeper.
  size_t end = start + count * period;
  if (end < sequence_.size() && depth_[sequence_[end]] > depth_[sequence_[start]])
    return false;
  // The shapes say how deep nodes are, so that one instance speaks for all.
  for (size_t at = start; at < start + period; ++at)
    if (depth_[sequence_[at]] < depth_[sequence_[start]])
      return false;
  return true;
}

Source RepeatFinder::sourceOf(const InEdge &input, size_t start, size_t period) const {
  if (leaf_[input.from] >= 0)
    return {.kind = Source::Kind::Leaf, .what = static_cast<size_t>(leaf_[input.from]), .result = input.result};
  int node = input.from;
  if (place_[node] < 0 && home_[node] >= 0) {
    // An argument of a region inside the instance: its region's op stands for it.
    auto region = nodeAt_.find(function_.clusters[home_[node]].id);
    if (region != nodeAt_.end() && place_[region->second] >= 0)
      node = region->second;
  }
  size_t place = place_[node] < 0 ? SIZE_MAX : static_cast<size_t>(place_[node]);
  if (place < start || place >= start + period)
    return {.kind = Source::Kind::Outside, .what = 0, .result = 0};
  // Arguments of one region count from the last one down.
  size_t argument = node == input.from ? 0 : static_cast<size_t>(input.from - node);
  return {.kind = Source::Kind::Inside, .what = (place - start) * (function_.nodes.size() + 1) + argument, .result = input.result};
}

/// What is carried from instance to instance begins with a constant, often.
static bool agree(const Source &a, const Source &b) {
  using Kind = Source::Kind;
  bool carried = (a.kind == Kind::Leaf && b.kind == Kind::Outside) || (a.kind == Kind::Outside && b.kind == Kind::Leaf);
  return carried || a == b;
}

/// Whether the instances that begin at two places are wired alike inside.
bool RepeatFinder::sameWiring(size_t a, size_t b, size_t period) const {
  for (size_t offset = 0; offset < period; ++offset) {
    llvm::ArrayRef<InEdge> left = inputsOf(sequence_[a + offset]), right = inputsOf(sequence_[b + offset]);
    if (left.size() != right.size())
      return false;
    for (auto [l, r] : llvm::zip_equal(left, right))
      if (!agree(sourceOf(l, a, period), sourceOf(r, b, period)))
        return false;
  }
  return true;
}

/// The best cut of a run, and in it the instances that are wired alike.
void RepeatFinder::addCandidates(const PeriodicRun &run, std::vector<Found> &candidates) const {
  size_t best = SIZE_MAX, bestCount = 0;
  int fewest = INT_MAX;
  for (size_t start = run.start; start < run.start + run.period; ++start) {
    size_t count = (run.start + run.length - start) / run.period;
    if (count < options_.leastCount || count < bestCount)
      break; // later cuts leave no more
    int crossing = live_[start + run.period];
    if (crossing < fewest && staysInside(start, run.period, count)) {
      best = start;
      bestCount = count;
      fewest = crossing;
    }
  }
  if (best == SIZE_MAX)
    return;
  size_t first = 0;
  for (size_t k = 1; k <= bestCount; ++k) {
    if (k < bestCount && sameWiring(best + first * run.period, best + k * run.period, run.period))
      continue;
    Found found{.start = best + first * run.period, .period = run.period, .count = k - first};
    if (found.count >= options_.leastCount && found.saved() >= options_.leastSaved)
      candidates.push_back(found);
    first = k;
  }
}

/// Takes what saves most first; what is left must lie apart from it or within one instance of it.
void RepeatFinder::choose(std::vector<Found> candidates) {
  llvm::sort(candidates, [](const Found &a, const Found &b) {
    return std::tuple(b.saved(), a.period, a.start) < std::tuple(a.saved(), b.period, b.start);
  });
  std::vector<int> owner(sequence_.size(), -1);
  for (const Found &found : candidates) {
    int around = owner[found.start];
    bool fits = true;
    for (size_t at = found.start; at < found.end() && fits; ++at)
      fits = owner[at] == around;
    if (!fits)
      continue;
    // A repeat that fills the instance around it would only add a frame.
    for (size_t k = 0; k < found.count; ++k) {
      for (size_t at = found.start + k * found.period; at < found.start + (k + 1) * found.period; ++at)
        owner[at] = static_cast<int>(owners_.size());
      owners_.push_back({static_cast<int>(chosen_.size()), static_cast<int>(k)});
    }
    chosen_.push_back(found);
    outerOf_.push_back(around);
  }
  ownerOf_.assign(function_.nodes.size(), -1);
  for (size_t at = 0; at < sequence_.size(); ++at)
    ownerOf_[sequence_[at]] = owner[at];
}

/// A leaf that one instance alone reads goes with it, and so do the arguments of regions inside.
void RepeatFinder::attachLeaves() {
  const auto &nodes = function_.nodes;
  auto homeOf = [&](int owner) { return home_[sequence_[chosen_[owners_[owner].first].start]]; };
  auto up = [&](int owner) { return outerOf_[owners_[owner].first]; };
  auto depthOf = [&](int owner) {
    int depth = 0;
    for (; owner >= 0; owner = up(owner))
      ++depth;
    return depth;
  };
  auto common = [&](int a, int b) {
    int depthA = depthOf(a), depthB = depthOf(b);
    for (; depthA > depthB; --depthA)
      a = up(a);
    for (; depthB > depthA; --depthB)
      b = up(b);
    while (a != b) {
      a = up(a);
      b = up(b);
    }
    return a;
  };
  constexpr int unread = -2;
  std::vector<int> reader(nodes.size(), unread);
  for (size_t n = nodes.size(); n-- > 0;) {
    int node = static_cast<int>(n);
    if (place_[node] < 0) {
      int owner = leaf_[node] >= 0 ? reader[node] : -1;
      // Inside of a region the region's op decides.
      auto region = home_[node] < 0 ? nodeAt_.end() : nodeAt_.find(function_.clusters[home_[node]].id);
      if (owner == unread)
        owner = -1;
      while (owner >= 0 && homeOf(owner) != home_[node])
        owner = up(owner);
      if (owner < 0 && region != nodeAt_.end() && place_[region->second] >= 0)
        owner = ownerOf_[region->second];
      ownerOf_[node] = owner;
    }
    for (const InEdge &input : inputsOf(node))
      reader[input.from] = reader[input.from] == unread ? ownerOf_[node] : common(reader[input.from], ownerOf_[node]);
  }
}

/// What the instance mostly does: its costliest op.
std::string RepeatFinder::labelOf(const Found &found) const {
  const GraphNode *heaviest = nullptr;
  for (size_t at = found.start; at < found.start + found.period; ++at) {
    const GraphNode &node = function_.nodes[sequence_[at]];
    if (!hasBody_[sequence_[at]] && (!heaviest || node.flops > heaviest->flops))
      heaviest = &node;
  }
  return heaviest ? heaviest->label : function_.nodes[sequence_[found.start]].label;
}

std::vector<GraphRepeat> RepeatFinder::describe() const {
  std::vector<GraphRepeat> repeats;
  for (size_t c = 0; c < chosen_.size(); ++c) {
    const Found &found = chosen_[c];
    GraphRepeat &repeat = repeats.emplace_back();
    repeat.label = labelOf(found);
    repeat.cluster = home_[sequence_[found.start]];
    if (outerOf_[c] >= 0)
      std::tie(repeat.parent, repeat.parentInstance) = owners_[outerOf_[c]];
    repeat.depth = repeat.parent < 0 ? 0 : repeats[repeat.parent].depth + 1;
    repeat.first = function_.nodes[sequence_[found.start]].id;
    repeat.instances.resize(found.count);
  }
  for (size_t n = 0; n < ownerOf_.size(); ++n)
    if (ownerOf_[n] >= 0) {
      auto [repeat, instance] = owners_[ownerOf_[n]];
      repeats[repeat].instances[instance].push_back(function_.nodes[n].id);
    }
  return repeats;
}

std::vector<GraphRepeat> RepeatFinder::find() {
  if (function_.nodes.size() < options_.leastSaved)
    return {};
  indexEdges();
  findHomes();
  findLeaves();
  makeSequence();
  llvm::DenseMap<std::tuple<int, int, int>, uint32_t> numbers;
  std::vector<uint32_t> shapes;
  shapes.reserve(sequence_.size());
  for (int node : sequence_) {
    std::tuple<int, int, int> shape{function_.nodes[node].shape, depth_[node], hasBody_[node]};
    shapes.push_back(numbers.try_emplace(shape, static_cast<uint32_t>(numbers.size())).first->second);
  }
  std::vector<PeriodicRun> runs = findPeriodicRuns(shapes);
  if (runs.empty())
    return {};
  measureCuts();
  std::vector<Found> candidates;
  for (const PeriodicRun &run : runs)
    if (run.length >= options_.leastSaved)
      addCandidates(run, candidates);
  choose(std::move(candidates));
  attachLeaves();
  return describe();
}

} // namespace

std::vector<GraphRepeat> findRepeats(const FunctionGraph &function, const RepeatOptions &options) {
  return RepeatFinder(function, options).find();
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
