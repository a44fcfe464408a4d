#include "core/graph/model/ScopePlaces.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

ScopePlaces::ScopePlaces(const FlowIndex &flow, const std::vector<std::string> &locations) : flow_(flow) {
  const auto &nodes = flow.function().nodes;
  place_.assign(nodes.size(), -1);
  for (size_t n = 0; n < nodes.size(); ++n) {
    int node = static_cast<int>(n), top = flow.topOf(node);
    bool isEnd = nodes[n].kind == NodeKind::Return; // of the function, whatever it returns
    if (top == node && flow.isFlow(node) && !isEnd) {
      place_[n] = static_cast<int>(nodes_.size());
      nodes_.push_back(node);
    } else if (top != node) {
      place_[n] = place_[top]; // inside of an op that stands in the function
    }
  }
  findHints(locations);
  findRoot();
  indexInputs();
  fillForwards();
  fillBackwards();
}

/// An op is where its name says, else where the weights that it reads are.
void ScopePlaces::findHints(const std::vector<std::string> &locations) {
  const auto &nodes = flow_.function().nodes;
  std::vector<int> weights(nodes.size(), -1); // by node: the path of its parameters
  hints_.assign(nodes_.size(), -1);
  for (size_t n = 0; n < nodes.size(); ++n) {
    int said = -1, read = -1;
    llvm::StringRef name = nodes[n].parameter;
    if (name.empty() && !locations.empty())
      name = locations[n];
    if (std::vector<std::string> path = scopePath(name); !path.empty())
      said = names_.add(path);
    for (const FlowIndex::Input &input : flow_.inputsOf(static_cast<int>(n)))
      read = names_.common(read, weights[input.from]);
    int path = said > 0 ? said : read;
    if (flow_.isWeight(static_cast<int>(n)))
      weights[n] = path;
    else if (path > 0 && place_[n] >= 0)
      hints_[place_[n]] = names_.common(hints_[place_[n]], path);
  }
  said_.assign(names_.size(), 0);
  for (int &hint : hints_) {
    if (hint == 0)
      hint = -1; // of parts that have nothing in common
    else if (hint > 0)
      said_[hint] = 1;
  }
}

/// What all have in common says nothing; but a number in it is a layer, and the list around it names it.
void ScopePlaces::findRoot() {
  int common = -1;
  for (int hint : hints_)
    common = hint < 0 ? common : names_.common(common, hint);
  root_ = std::max(common, 0);
  std::vector<char> numbered = names_.numbered();
  for (int path = root_; path != 0; path = names_.parentOf(path))
    if (numbered[path])
      root_ = names_.parentOf(names_.parentOf(path));
  if (llvm::any_of(names_.childrenOf(root_), [](const auto &child) { return isNumber(child.first); }))
    root_ = names_.parentOf(root_); // "layer.3" rather than "3"
  if (said_[root_] && llvm::count(said_, 1) == 1)
    root_ = names_.parentOf(root_); // the only name of all
}

void ScopePlaces::indexInputs() {
  inputs_.resize(nodes_.size());
  lastUse_.resize(nodes_.size());
  for (size_t n = 0; n < place_.size(); ++n) {
    if (place_[n] < 0)
      continue;
    for (const FlowIndex::Input &input : flow_.inputsOf(static_cast<int>(n))) {
      int from = place_[input.from], to = place_[n];
      if (from < 0 || from == to)
        continue;
      inputs_[to].push_back(from);
      lastUse_[from] = std::max(lastUse_[from], to);
    }
  }
}

/// Where the fewest values cross from [.., cut) to [cut, ..), with `begin` <= cut <= `end`; the last such place.
size_t ScopePlaces::cutOf(size_t begin, size_t end) const {
  // Only what is made or used up in between makes a difference.
  int live = 0, fewest = 0;
  size_t best = begin;
  std::vector<int> usedUp(end - begin + 1, 0);
  llvm::SmallDenseSet<int> seen;
  for (size_t at = begin; at < end; ++at)
    for (int from : inputs_[at])
      if (static_cast<size_t>(from) < begin && static_cast<size_t>(lastUse_[from]) < end && seen.insert(from).second)
        ++usedUp[lastUse_[from] - begin + 1];
  for (size_t cut = begin + 1; cut <= end; ++cut) {
    size_t made = cut - 1;
    live -= usedUp[cut - begin];
    if (lastUse_[made] > static_cast<int>(made)) {
      ++live;
      if (static_cast<size_t>(lastUse_[made]) < end)
        ++usedUp[lastUse_[made] - begin + 1];
    }
    if (live <= fewest) {
      fewest = live;
      best = cut;
    }
  }
  return best;
}

/// Where an op goes that follows what feeds it: what is after a module without a name of its own is its parent's.
int ScopePlaces::afterProducers(size_t place, int before, int around) const {
  int path = -1;
  for (int from : inputs_[place]) {
    // What goes around a layer, to be added after it, comes from before it; but the layer reads it, too.
    int source = names_.common(before, paths_[from]);
    int reader = lastReader_[from] < 0 ? source : names_.common(before, paths_[lastReader_[from]]);
    bool isAround = names_.depthOf(reader) > names_.depthOf(source);
    path = names_.common(path, isAround ? reader : paths_[from]);
  }
  if (path < 0)
    path = before;
  bool isLeaf = names_.childrenOf(path).empty();
  if (isLeaf && path != around && path != root_)
    path = names_.parentOf(path);
  return within(path, around);
}

/// Ops with a hint, and those before the cuts; the others may be anything around for now.
void ScopePlaces::fillForwards() {
  paths_.assign(nodes_.size(), root_);
  around_.assign(nodes_.size(), -1);
  lastReader_.assign(nodes_.size(), -1);
  auto read = [&](size_t place) {
    for (int from : inputs_[place])
      lastReader_[from] = static_cast<int>(place);
  };
  int before = root_;
  for (size_t begin = 0; begin < nodes_.size();) {
    if (hints_[begin] >= 0) {
      before = paths_[begin] = within(hints_[begin], root_);
      read(begin);
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < nodes_.size() && hints_[end] < 0)
      ++end;
    int behind = end < nodes_.size() ? within(hints_[end], root_) : root_;
    int around = names_.common(before, behind);
    size_t cut = cutOf(begin, end);
    for (size_t at = begin; at < cut; ++at) {
      paths_[at] = afterProducers(at, before, around);
      read(at);
    }
    for (size_t at = cut; at < end; ++at) {
      paths_[at] = behind;
      read(at);
      around_[at] = around;
    }
    begin = end;
  }
}

/// The others, by what reads them.
void ScopePlaces::fillBackwards() {
  std::vector<int> readers(nodes_.size(), -1);
  for (size_t place = nodes_.size(); place-- > 0;) {
    if (around_[place] >= 0)
      paths_[place] = within(readers[place], around_[place]);
    for (int from : inputs_[place])
      readers[from] = names_.common(readers[from], paths_[place]);
  }
}

} // namespace fuselage
