#include "core/graph/model/Repeats.h"
#include "core/graph/patterns/SimilarRuns.h"
#include "core/ir/layers/PeriodicRuns.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>

namespace fuselage {
namespace {

/// A repeat in places of the sequence: `count` instances of `period` places each, and perhaps one before them of
/// `head` places and one after them of `tail` places, which are similar: the first and the last layer of a model.
struct Found {
  size_t start = 0, period = 0, count = 0, head = 0, tail = 0;
  size_t changes = 0; ///< that make the ends like the others
  size_t instances() const { return count + (head > 0) + (tail > 0); }
  size_t begin(size_t instance) const {
    size_t equal = instance - (head > 0);
    return head > 0 && instance == 0 ? start - head : start + period * equal;
  }
  size_t end(size_t instance) const { return instance + 1 < instances() ? begin(instance + 1) : end(); }
  size_t first() const { return start - head; }
  size_t end() const { return start + period * count + tail; }
  size_t saved() const { return count == 0 ? 0 : period * (count - 1) + head + tail; }
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
  RepeatFinder(const FlowIndex &flow, const RepeatOptions &options)
      : function_(flow.function()), flow_(flow), options_(options) {}
  std::vector<GraphRepeat> find();

private:
  using InEdge = FlowIndex::Input;
  llvm::ArrayRef<InEdge> inputsOf(int node) const { return flow_.inputsOf(node); }
  /// The op around a node, of one in the body of an op; -1: it stands right in the function.
  int regionOf(int node) const {
    int home = flow_.homeOf(node);
    return home < 0 ? -1 : flow_.indexOf(function_.clusters[home].id);
  }
  void makeSequence();
  std::vector<uint32_t> numberSequence() const;
  void addPair(const std::vector<uint32_t> &numbers, std::vector<Found> &candidates) const;
  void extend(const std::vector<uint32_t> &numbers, Found &found) const;
  bool isCut(size_t place, int home) const;
  void addTwins(const std::vector<uint32_t> &numbers, std::vector<Found> &candidates) const;
  void measureCuts();
  std::vector<size_t> cutsOf(const PeriodicRun &run, size_t leastCount) const;
  std::vector<Found> instancesFrom(size_t start, const PeriodicRun &run, const std::vector<uint32_t> &numbers) const;
  void addCandidates(const PeriodicRun &run, const std::vector<uint32_t> &numbers,
                     std::vector<Found> &candidates) const;
  bool staysInside(size_t start, size_t period, size_t count) const;
  Source sourceOf(const InEdge &input, size_t start, size_t period) const;
  bool sameWiring(size_t a, size_t b, size_t period) const;
  void choose(std::vector<Found> candidates);
  void attachLeaves();
  std::vector<GraphRepeat> describe() const;
  std::string labelOf(const Found &found) const;

  const FunctionGraph &function_;
  const FlowIndex &flow_;
  const RepeatOptions &options_;
  std::vector<int> sequence_;               // node by place
  std::vector<int> place_;                  // by node, or -1
  std::vector<int> live_;                   // by place: values that cross the cut before it
  std::vector<int> cutsDispatch_;           // by place: planned dispatches that the cut before it cuts
  std::vector<Found> chosen_;               // outer before inner
  std::vector<int> outerOf_;                // by chosen repeat: owner around it, or -1
  std::vector<std::pair<int, int>> owners_; // an instance: chosen repeat, number
  std::vector<int> ownerOf_;                // by node: innermost instance, index into owners_, or -1
};

void RepeatFinder::makeSequence() {
  const auto &nodes = function_.nodes;
  place_.assign(nodes.size(), -1);
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!flow_.isFlow(static_cast<int>(n)))
      continue; // arguments belong to their region
    place_[n] = static_cast<int>(sequence_.size());
    sequence_.push_back(static_cast<int>(n));
  }
}

/// Counts, for every place, what a cut before it would cut.
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
  int home = flow_.homeOf(sequence_[start]);
  for (size_t k = 1; k < count; ++k)
    if (flow_.homeOf(sequence_[start + k * period]) != home)
      return false;
  // A cut must not fall between an op and its body: the node after the end is no deeper.
  size_t end = start + count * period;
  if (end < sequence_.size() && flow_.depthOf(sequence_[end]) > flow_.depthOf(sequence_[start]))
    return false;
  // The shapes say how deep nodes are, so that one instance speaks for all.
  for (size_t at = start; at < start + period; ++at)
    if (flow_.depthOf(sequence_[at]) < flow_.depthOf(sequence_[start]))
      return false;
  return true;
}

Source RepeatFinder::sourceOf(const InEdge &input, size_t start, size_t period) const {
  if (flow_.isWeight(input.from)) // whatever its type is
    return {.kind = Source::Kind::Leaf, .what = SIZE_MAX, .result = 0};
  if (flow_.leafOf(input.from) >= 0)
    return {.kind = Source::Kind::Leaf, .what = static_cast<size_t>(flow_.leafOf(input.from)), .result = input.result};
  int node = input.from;
  // An argument of a region inside the instance: its region's op stands for it.
  if (int region = place_[node] < 0 ? regionOf(node) : -1; region >= 0 && place_[region] >= 0)
    node = region;
  size_t place = place_[node] < 0 ? SIZE_MAX : static_cast<size_t>(place_[node]);
  if (place < start || place >= start + period)
    return {.kind = Source::Kind::Outside, .what = 0, .result = 0};
  // Arguments of one region count from the last one down.
  size_t argument = node == input.from ? 0 : static_cast<size_t>(input.from - node);
  return {.kind = Source::Kind::Inside,
          .what = (place - start) * (function_.nodes.size() + 1) + argument,
          .result = input.result};
}

/// What is carried from instance to instance begins with a constant, often.
static bool agree(const Source &a, const Source &b) {
  using Kind = Source::Kind;
  if (a.kind == Kind::Leaf && b.kind == Kind::Leaf)
    return true; // whatever the constants are and how they are made
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

/// Where a run may be cut so that the fewest values cross, at most a few such places.
std::vector<size_t> RepeatFinder::cutsOf(const PeriodicRun &run, size_t leastCount) const {
  constexpr size_t most = 12;
  std::vector<size_t> cuts;
  int fewest = INT_MAX;
  for (size_t start = run.start; start < run.start + run.period; ++start) {
    size_t count = (run.start + run.length - start) / run.period;
    int crossing = live_[start + run.period];
    if (count < leastCount)
      break;
    if (crossing > fewest || !staysInside(start, run.period, count))
      continue;
    if (crossing < fewest)
      cuts.clear();
    fewest = crossing;
    if (cuts.size() < most)
      cuts.push_back(start);
  }
  return cuts;
}

/// The instances from a cut on that are wired alike, with similar ones before them and after them.
std::vector<Found> RepeatFinder::instancesFrom(size_t start, const PeriodicRun &run,
                                               const std::vector<uint32_t> &numbers) const {
  std::vector<Found> found;
  size_t count = (run.start + run.length - start) / run.period, first = 0;
  for (size_t k = 1; k <= count; ++k) {
    if (k < count && sameWiring(start + first * run.period, start + k * run.period, run.period))
      continue;
    found.push_back({.start = start + first * run.period, .period = run.period, .count = k - first});
    first = k;
  }
  if (options_.similarEnds && found.size() == 1)
    extend(numbers, found.front());
  return found;
}

/// The best cut of a run: where the fewest values cross, unless another one leaves more instances.
void RepeatFinder::addCandidates(const PeriodicRun &run, const std::vector<uint32_t> &numbers,
                                 std::vector<Found> &candidates) const {
  std::vector<Found> best;
  size_t mostInstances = 0, fewestChanges = 0;
  auto consider = [&](size_t leastEqual, bool isOther) {
    for (size_t cut : cutsOf(run, leastEqual)) {
      std::vector<Found> found = instancesFrom(cut, run, numbers);
      size_t instances = 0, changes = 0;
      for (const Found &one : found) {
        instances = std::max(instances, one.instances());
        changes += one.changes;
      }
      if (instances < mostInstances || (instances == mostInstances && (isOther || changes >= fewestChanges)))
        continue;
      best = std::move(found);
      mostInstances = instances;
      fewestChanges = changes;
    }
  };
  // With a first and a last instance that differ a little, two equal ones between them are enough.
  if (options_.similarEnds)
    consider(std::min(options_.leastCount, 2u), false);
  consider(run.length / run.period, true);
  for (const Found &found : best)
    if (found.instances() >= options_.leastCount && found.saved() >= options_.leastSaved)
      candidates.push_back(found);
}

/// What repeats three times somewhere is worth a box where it stands twice: the stages of a network are of several
/// lengths.
void RepeatFinder::addTwins(const std::vector<uint32_t> &numbers, std::vector<Found> &candidates) const {
  constexpr size_t mostWords = 8;
  std::vector<Found> words = candidates;
  llvm::sort(words, [](const Found &a, const Found &b) { return a.saved() > b.saved(); });
  words.resize(std::min(words.size(), mostWords));
  for (const Found &word : words) {
    if (word.period < options_.leastSaved)
      continue;
    auto begin = numbers.begin() + static_cast<ptrdiff_t>(word.start);
    std::boyer_moore_horspool_searcher search(begin, begin + static_cast<ptrdiff_t>(word.period));
    Found run{.start = 0, .period = word.period, .count = 0};
    auto close = [&] {
      if (run.count == 2 && staysInside(run.start, run.period, run.count))
        candidates.push_back(run);
    };
    for (auto at = numbers.begin(); at != numbers.end();) {
      auto [first, last] = search(at, numbers.end());
      if (first == numbers.end())
        break;
      size_t start = static_cast<size_t>(first - numbers.begin());
      bool isEqual = sameWiring(word.start, start, word.period);
      if (!isEqual || run.count == 0 || start != run.end()) {
        close();
        run = {.start = start, .period = word.period, .count = 0};
      }
      run.count += isEqual;
      at = isEqual ? last : first + 1;
    }
    close();
  }
}

/// A model of two layers: its larger part, twice the same or almost.
void RepeatFinder::addPair(const std::vector<uint32_t> &numbers, std::vector<Found> &candidates) const {
  PeriodicRun run = findPair(numbers);
  if (run.period == 0 || !options_.similarEnds)
    return;
  Found best;
  for (size_t cut : cutsOf({run.start, run.period, run.length}, 1))
    for (const Found &found : instancesFrom(cut, run, numbers))
      if (found.instances() >= 2 && found.saved() > best.saved())
        best = found;
  if (best.period > 0)
    candidates.push_back(best);
}

/// Whether an instance may begin or end before a place.
bool RepeatFinder::isCut(size_t place, int home) const {
  if (cutsDispatch_[place])
    return false;
  return place == sequence_.size() || flow_.homeOf(sequence_[place]) == home ||
         flow_.depthOf(sequence_[place]) < flow_.depthOf(sequence_[place - 1]);
}

/// The first layer prepares what the others share, the last one leaves out what nobody reads: takes them in, too.
void RepeatFinder::extend(const std::vector<uint32_t> &numbers, Found &found) const {
  constexpr size_t leastPeriod = 8;
  if (found.period < leastPeriod)
    return;
  int home = flow_.homeOf(sequence_[found.start]);
  size_t end = found.end();
  llvm::ArrayRef<uint32_t> all(numbers), word = all.slice(found.start, found.period);
  auto staysIn = [&](size_t begin, size_t behind) {
    for (size_t at = begin; at < behind; ++at)
      if (flow_.depthOf(sequence_[at]) < flow_.depthOf(sequence_[found.start]))
        return false;
    return flow_.homeOf(sequence_[begin]) == home;
  };
  SimilarRun tail = findSimilar(word, all.drop_front(end),
                                [&](size_t length) { return isCut(end + length, home) && staysIn(end, end + length); });
  std::vector<uint32_t> backwards(word.rbegin(), word.rend()), before(all.rend() - found.start, all.rend());
  SimilarRun head = findSimilar(backwards, before, [&](size_t length) {
    return isCut(found.start - length, home) && staysIn(found.start - length, found.start);
  });
  found.head = head.length;
  found.tail = tail.length;
  found.changes = head.changes + tail.changes;
}

/// Takes what saves most first; what is left must lie apart from it or within one instance of it.
void RepeatFinder::choose(std::vector<Found> candidates) {
  llvm::sort(candidates, [](const Found &a, const Found &b) {
    return std::tuple(b.saved(), a.period, a.start) < std::tuple(a.saved(), b.period, b.start);
  });
  std::vector<int> owner(sequence_.size(), -1);
  for (const Found &found : candidates) {
    int around = owner[found.first()];
    bool fits = true;
    for (size_t at = found.first(); at < found.end() && fits; ++at)
      fits = owner[at] == around;
    if (!fits)
      continue;
    // A repeat that fills the instance around it would only add a frame.
    for (size_t k = 0; k < found.instances(); ++k) {
      for (size_t at = found.begin(k); at < found.end(k); ++at)
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
  auto homeOf = [&](int owner) { return flow_.homeOf(sequence_[chosen_[owners_[owner].first].start]); };
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
      int owner = flow_.leafOf(node) >= 0 || flow_.isWeight(node) ? reader[node] : -1;
      int region = regionOf(node); // inside of a region its op decides
      if (owner == unread)
        owner = -1;
      while (owner >= 0 && homeOf(owner) != flow_.homeOf(node))
        owner = up(owner);
      if (owner < 0 && region >= 0 && place_[region] >= 0)
        owner = ownerOf_[region];
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
    if (!flow_.hasBody(sequence_[at]) && (!heaviest || node.flops > heaviest->flops))
      heaviest = &node;
  }
  return (heaviest ? heaviest->label : function_.nodes[sequence_[found.start]].label).str();
}

std::vector<GraphRepeat> RepeatFinder::describe() const {
  std::vector<GraphRepeat> repeats;
  for (size_t c = 0; c < chosen_.size(); ++c) {
    const Found &found = chosen_[c];
    GraphRepeat &repeat = repeats.emplace_back();
    repeat.label = labelOf(found);
    repeat.cluster = flow_.homeOf(sequence_[found.start]);
    if (outerOf_[c] >= 0)
      std::tie(repeat.parent, repeat.parentInstance) = owners_[outerOf_[c]];
    repeat.depth = repeat.parent < 0 ? 0 : repeats[repeat.parent].depth + 1;
    repeat.first = function_.nodes[sequence_[found.first()]].id;
    repeat.instances.resize(found.instances());
  }
  for (size_t n = 0; n < ownerOf_.size(); ++n)
    if (ownerOf_[n] >= 0) {
      auto [repeat, instance] = owners_[ownerOf_[n]];
      repeats[repeat].instances[instance].push_back(function_.nodes[n].id);
    }
  return repeats;
}

/// The same number for nodes that may stand for each other.
std::vector<uint32_t> RepeatFinder::numberSequence() const {
  llvm::DenseMap<std::tuple<int, int, int>, uint32_t> numbers;
  std::vector<uint32_t> sequence;
  sequence.reserve(sequence_.size());
  for (int node : sequence_) {
    std::tuple<int, int, int> form{formOf(function_.nodes[node]), flow_.depthOf(node), flow_.hasBody(node)};
    sequence.push_back(numbers.try_emplace(form, static_cast<uint32_t>(numbers.size())).first->second);
  }
  return sequence;
}

std::vector<GraphRepeat> RepeatFinder::find() {
  if (function_.nodes.size() < options_.leastSaved)
    return {};
  makeSequence();
  std::vector<uint32_t> numbers = numberSequence();
  std::vector<PeriodicRun> runs = findPeriodicRuns(numbers);
  measureCuts();
  std::vector<Found> candidates;
  for (const PeriodicRun &run : runs)
    if (run.length >= options_.leastSaved)
      addCandidates(run, numbers, candidates);
  addTwins(numbers, candidates);
  addPair(numbers, candidates);
  choose(std::move(candidates));
  attachLeaves();
  return describe();
}

} // namespace

std::vector<GraphRepeat> findRepeats(const FlowIndex &flow, const RepeatOptions &options) {
  return RepeatFinder(flow, options).find();
}

} // namespace fuselage
